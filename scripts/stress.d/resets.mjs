// Resets of passwords beside a letter: node resets.mjs URL ARRIVED COUNT SECONDS asks for one each of reset0@label.example and so on, spread over
// SECONDS, and prints how many mails never came and the 99th percentile of the time until the mail server had one, in ms.
import { readFileSync } from "node:fs";
import { addressOf, clientOf, pause, percentile } from "./client.mjs";

const [, , url, arrivedFile, countText, seconds] = process.argv;
const count = Number(countText);
const send = clientOf(url);
const asked = new Map();
const began = Date.now();
for (let number = 0; number < count; number += 1) {
  await pause(began + (number * seconds * 1000) / count - Date.now());
  const email = `reset${number}@label.example`;
  asked.set(email, Date.now());
  const answer = await send("POST", "/api/auth/forgot", { body: { email }, from: addressOf(7, number) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.bytes}`);
}

/** Milliseconds from the request to the mail server, of the mails so far. */
function waits() {
  const mails = readFileSync(arrivedFile, "utf8").split("\n").filter((line) => line.includes("reset"));
  return mails.flatMap((line) => {
    const { to = [], at } = JSON.parse(line);
    const from = asked.get(to[0]);
    return from === undefined ? [] : [at - from];
  });
}
for (const end = Date.now() + 20_000; Date.now() < end && waits().length < count; ) await pause(200);
console.log(count - waits().length, Math.round(percentile(waits(), 0.99)));
