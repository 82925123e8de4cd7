// Releases of scripts/stress.d/kill and scripts/stress.d/synced.
// node kill.mjs sign-in URL: signs in the admin whose password is in PASSWORD, and prints the session's token.
// node kill.mjs write URL TOKEN FILE: four admins add releases until the server is gone, and note the title of each
// acknowledged one.
// node kill.mjs count URL TOKEN COUNT: adds COUNT releases one after the other, and prints how many were acknowledged.
// node kill.mjs judge URL FILE: prints how many noted releases are missing, and how many others exist.
import { randomUUID } from "node:crypto";
import { fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { clientOf, signIn } from "./client.mjs";

const [, , what, url, ...rest] = process.argv;
const send = clientOf(url);

async function write(token, file) {
  const notes = openSync(file, "a");
  const writer = async () => {
    for (;;) {
      const body = { title: `Acknowledged ${randomUUID()}`, release_date: "2026-11-20" };
      const answer = await send("POST", "/api/admin/releases", { body, token });
      // The database is stopped too, and may be gone a moment before the server.
      if (answer.status === 503) continue;
      if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.bytes}`);
      writeSync(notes, `${body.title}\n`);
      fsyncSync(notes);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: 4 }, writer));
  // The server is killed on purpose, so a lost connection is expected; a wrong response is not.
  for (const { reason } of ends) if (!reason.code) throw reason;
}

async function count(token, most) {
  let acknowledged = 0;
  for (let number = 0; number < Number(most); number += 1) {
    const body = { title: `Acknowledged ${number}`, release_date: "2026-11-20" };
    if ((await send("POST", "/api/admin/releases", { body, token })).status === 201) acknowledged += 1;
  }
  console.log(acknowledged);
}

async function judge(file) {
  const noted = new Set(readFileSync(file, "utf8").split("\n").slice(0, -1));
  let others = 0;
  let cursor = "";
  do {
    const answer = await send("GET", `/api/releases?limit=100${cursor}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.bytes}`);
    const { items, next_cursor } = answer.json();
    for (const { title } of items) {
      noted.delete(title);
      if (!title.startsWith("Acknowledged ")) others += 1;
    }
    cursor = next_cursor && `&cursor=${encodeURIComponent(next_cursor)}`;
  } while (cursor);
  console.log(noted.size, others);
}

if (what === "sign-in") console.log(await signIn(send, "admin@label.example", process.env.PASSWORD));
else if (what === "write") await write(...rest);
else if (what === "count") await count(...rest);
else await judge(...rest);
process.exit(0);
