// Writes PNG files.
import { crc32 } from "node:zlib";

export function chunk(kind, data = Buffer.alloc(0)) {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A PNG of compressed lines, with `chunks` before them. Colour 0 is grey, 2 is red, green and blue; `bits` are those of a channel. */
export function png(width, height, data, { bits = 8, colour = 2, chunks = [] } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colour], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", header), ...chunks, chunk("IDAT", data), chunk("IEND")]);
}
