// Pictures that claim or decompress to far more than they contain: node bombs.mjs URL EMAIL PASSWORD PID. Sends each as an
// avatar and to the library, two at once, and prints the number of wrong responses and the server's largest memory growth in
// MiB, for bombs and for the largest accepted picture.
import { readFileSync, writeFileSync } from "node:fs";
import { constants, deflateSync } from "node:zlib";
import { chunk, png } from "../png.mjs";
import { clientOf, signIn } from "./client.mjs";

const [, , url, email, password, pid] = process.argv;
const send = clientOf(url, { sockets: 4 });
const token = await signIn(send, email, password);

const MIB = 1024 * 1024;
const packed = (bytes) => deflateSync(Buffer.alloc(bytes), { level: constants.Z_BEST_COMPRESSION });
const u16 = (number) => [number >> 8, number & 255];

/** A black square of this size and depth, with chunks before its data, which is cut to `bytes`. */
const black = (edge, bits, chunks = [], bytes = Number.POSITIVE_INFINITY) =>
  png(edge, edge, packed(Math.min(bytes, edge * (1 + (edge * 3 * bits) / 8))), { bits, chunks });

const text = (kind, before, bytes) => chunk(kind, Buffer.concat([Buffer.from(before, "latin1"), packed(bytes)]));

/** A JPEG of some hundred bytes that claims this size, progressive or not. */
function jpeg(edge, frame) {
  const table = (kind) => [0xff, 0xc4, 0, 20, kind, 1, ...Array(15).fill(0), 0];
  return Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array(64).fill(1)],
    ...[0xff, frame, 0, 17, 8, ...u16(edge), ...u16(edge), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0],
    ...table(0),
    ...table(0x10),
    ...[0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, ...Array(200).fill(0), 0xff, 0xd9],
  ]);
}

/** Name, file, and whether it is a valid picture anyway. */
const bombs = [
  ["a profile of 200 MiB", black(10, 8, [text("iCCP", "x\0\0", 200 * MIB)]), true],
  ["a text of 200 MiB", black(10, 8, [text("zTXt", "x\0\0", 200 * MIB)]), true],
  ["an international text of 200 MiB", black(10, 8, [text("iTXt", "x\0\x01\0\0\0", 200 * MIB)]), true],
  ["50000 by 50000 pixels", black(50_000, 8, [], 20 * MIB), false],
  ["5000 by 5000 pixels in 16 bits", black(5000, 16), false],
  ["a JPEG that claims 7000 by 7000", jpeg(7000, 0xc0), false],
  ["a JPEG in passes that claims 5000 by 5000", jpeg(5000, 0xc2), false],
];
const largest = black(4700, 16);

const status = (name) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${name}:\\s+(\\d+)`))[1]) / 1024;

async function upload(path, file) {
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="p.'),
    Buffer.from(`${file[0] === 0xff ? "jpg" : "png"}"\r\n\r\n`),
    file,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  return (await send("POST", path, { body, headers, token, timeout: 120_000 })).status;
}

/** Uploads a picture everywhere, two at once; returns the number of wrong responses and the memory growth. */
async function sent(name, file, isPicture) {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = status("VmRSS");
  let wrong = 0;
  for (const path of ["/api/profile/avatar", "/api/admin/images?folder=uploads"]) {
    for (const answer of await Promise.all([upload(path, file), upload(path, file)])) {
      if (answer !== (isPicture ? 200 : 422)) {
        console.error(`${name} at ${path}: ${answer}`);
        wrong += 1;
      }
    }
  }
  const grown = status("VmHWM") - before;
  console.error(`${name}: ${file.length} bytes, +${grown.toFixed(0)} MiB`);
  return { wrong, grown };
}

// Memory of the first picture stays allocated.
await sent("a picture", black(2000, 8), true);
let [wrong, grown] = [0, 0];
for (const [name, file, isPicture] of bombs) {
  const seen = await sent(name, file, isPicture);
  wrong += seen.wrong;
  grown = Math.max(grown, seen.grown);
}
const whole = await sent("the largest picture", largest, true);
console.log(wrong + whole.wrong, grown.toFixed(0), whole.grown.toFixed(0));
