// Archives of sounds for scripts/stress.d/sounds.sh: node sounds.mjs archive FILE SOUND… deflates every other sound and stores
// the rest.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

const [, , , file, ...sounds] = process.argv;

const bodies = [];
const records = [];
let place = 0;
for (const [number, sound] of sounds.entries()) {
  const name = Buffer.from(`EP/${String(number + 1).padStart(2, "0")} ${basename(sound)}`);
  const content = readFileSync(sound);
  const isPacked = number % 2 === 1;
  const packed = isPacked ? deflateRawSync(content) : content;
  // Version 2.0, UTF-8 names, stored or deflated, 1980-01-01; then checksum, sizes and length of the name.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(0x0800, 2);
  common.writeUInt16LE(isPacked ? 8 : 0, 4);
  common.writeUInt16LE(0x21, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const body = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, name, packed]);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(place, 10);
  records.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, tail, name]));
  bodies.push(body);
  place += body.length;
}
const directory = Buffer.concat(records);
const end = Buffer.alloc(22);
end.write("PK\x05\x06", 0, "latin1");
end.writeUInt16LE(records.length, 8);
end.writeUInt16LE(records.length, 10);
end.writeUInt32LE(directory.length, 12);
end.writeUInt32LE(place, 16);
writeFileSync(file, Buffer.concat([...bodies, directory, end]));
