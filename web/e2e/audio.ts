// Music made on the spot: files that are what their extensions say, of any size.
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";

/** Of MPEG 1 layer III at 128 kbit/s and 44.1 kHz. */
const FRAME_BYTES = 417;

/** An MP3 of so many silent frames. */
export function makeMp3(frames: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** An archive of packed files, by their names. */
export function makeZip(files: Record<string, Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const records: Buffer[] = [];
  let place = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    // Version 2.0, names in UTF-8, deflated, 1980-01-01; then checksum, sizes and the length of the name.
    const common = Buffer.from("14000008080000002100".padEnd(52, "0"), "hex");
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(place, 10);
    records.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, tail, Buffer.from(name)]),
    );
    bodies.push(body);
    place += body.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...bodies, directory, end]);
}

/** A wave of so many seconds of a tone that swells, in one channel of 16 bits at 8 kHz; as loud as it can be, where it clips. */
export function makeWave(seconds: number, isClipped = false): Buffer {
  const count = Math.round(seconds * 8_000);
  const wave = Buffer.alloc(44 + count * 2);
  wave.write("RIFF", 0, "latin1");
  wave.writeUInt32LE(36 + count * 2, 4);
  wave.write("WAVEfmt ", 8, "latin1");
  wave.writeUInt32LE(16, 16);
  wave.set([1, 0, 1, 0], 20);
  wave.writeUInt32LE(8_000, 24);
  wave.writeUInt32LE(16_000, 28);
  wave.set([2, 0, 16, 0], 32);
  wave.write("data", 36, "latin1");
  wave.writeUInt32LE(count * 2, 40);
  for (let place = 0; place < count; place += 1) {
    const swell = isClipped ? 4 : 0.2 + 0.6 * Math.abs(Math.sin(place / 9_000));
    const value = Math.sin((place * 2 * Math.PI * 220) / 8_000) * swell * 32_767;
    wave.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value))), 44 + place * 2);
  }
  return wave;
}

/** Writes a wave of exactly so many bytes, every megabyte of it different. */
export function writeWave(path: string, bytes: number): void {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(bytes - 8, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  // PCM, two channels of 16 bits at 44.1 kHz.
  head.set([1, 0, 2, 0], 20);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(176_400, 28);
  head.set([4, 0, 16, 0], 32);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(bytes - 44, 40);
  writeFileSync(path, head);
  const file = openSync(path, "a");
  for (let left = bytes - 44, step = 1; left > 0; step += 1) {
    const piece = Buffer.alloc(Math.min(left, 1_048_576), step);
    left -= writeSync(file, piece);
  }
  closeSync(file);
}
