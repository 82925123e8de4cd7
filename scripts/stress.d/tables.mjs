// Malicious tables, previewed by the admin draws@label.example: node tables.mjs URL, with the password in PASSWORD. Prints the
// number of wrong responses.
import { clientOf, signIn } from "./client.mjs";

const [, , url] = process.argv;
const send = clientOf(url);
const token = await signIn(send, "draws@label.example", process.env.PASSWORD);
const long = 15 * 1024 * 1024;
const half = long / 2;

const tables = [
  ["a header of commas", Buffer.alloc(long, ","), 422],
  ["a header of names", Buffer.alloc(long, "a,"), 422],
  ["a row of commas", Buffer.concat([Buffer.from("title,date\n"), Buffer.alloc(long, ",")]), 422],
  ["a row of cells", Buffer.concat([Buffer.from("title,date\n"), Buffer.alloc(long, "a,")]), 200],
  ["a cell", Buffer.concat([Buffer.from("title,date\n"), Buffer.alloc(long, "a")]), 200],
  ["a cell of quotes", Buffer.concat([Buffer.from('title,date\n"'), Buffer.alloc(half * 2, '""'), Buffer.from('"')]), 200],
  ["lines of nothing", Buffer.concat([Buffer.from("title,date\n"), Buffer.alloc(long, ",\n")]), 422],
  ["UTF-16 of commas", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(long, Buffer.from([0x2c, 0]))]), 422],
  ["letters of one byte", Buffer.concat([Buffer.from("title,date\n"), Buffer.alloc(long, 0xfc)]), 200],
];

let wrong = 0;
for (const [what, table, expected] of tables) {
  const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), table, Buffer.from("\r\n--cut--\r\n")]);
  const headers = { "content-type": "multipart/form-data; boundary=cut" };
  const { status } = await send("POST", "/api/admin/imports/preview", { body, headers, token });
  if (status === expected) continue;
  wrong += 1;
  console.error(`${what}: ${status}`);
}
console.log(wrong);
process.exit(0);
