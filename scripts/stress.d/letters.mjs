// node letters.mjs ARRIVED COUNT: prints how many of COUNT recipients got no letter, how many copies are too many, and how many recipients
// got it under two Message-IDs.
import { readFileSync } from "node:fs";

const [, , arrivedFile, count] = process.argv;
const ids = new Map();
let copies = 0;
for (const line of readFileSync(arrivedFile, "utf8").split("\n").slice(0, -1)) {
  let mail;
  try {
    mail = JSON.parse(line);
  } catch {
    // Cut off by the end of the mail server, which then had not taken it.
    continue;
  }
  if (!mail.data) continue;
  const known = ids.get(mail.to[0]) ?? new Set();
  if (known.size > 0) copies += 1;
  ids.set(mail.to[0], known.add(mail.data.match(/^Message-ID: (.+)$/m)[1]));
}
const renamed = [...ids.values()].filter((known) => known.size > 1).length;
console.log(Number(count) - ids.size, copies, renamed);
