// Messages of scripts/stress.d/mail.
// node mail.mjs post URL FIRST END: sends messages to the label, eight at a time, and prints the number of each accepted one.
// node mail.mjs judge ACCEPTED ARRIVED: prints how many accepted messages have not arrived, how many arrived under two ids, how
// many more than once, and how many were accepted.
import { readFileSync, writeSync } from "node:fs";

const [, , what, ...rest] = process.argv;

async function post(url, first, end) {
  let next = Number(first);
  const writer = async () => {
    while (next < Number(end)) {
      const number = next++;
      const answer = await fetch(`${url}/api/contact`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `10.1.0.${number + 1}` },
        body: JSON.stringify({ name: "Max", email: "max@example.org", message: `This is message number ${number}.` }),
      });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      writeSync(1, `${number}\n`);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: 8 }, writer));
  for (const { reason } of ends) {
    // The server is killed on purpose, so a lost connection is expected; a wrong response is not.
    if (reason && !(reason instanceof TypeError)) throw reason;
  }
}

function judge(acceptedFile, arrivedFile) {
  const lines = (file) => readFileSync(file, "utf8").split("\n").slice(0, -1);
  const names = new Map();
  let copies = 0;
  for (const mail of lines(arrivedFile).map((line) => JSON.parse(line))) {
    const number = mail.data?.match(/This is message number (\d+)\./)?.[1];
    if (!number) continue;
    const known = names.get(number) ?? new Set();
    if (known.size > 0) copies += 1;
    names.set(number, known.add(mail.data.match(/^Message-ID: (.+)$/m)[1]));
  }
  const accepted = new Set(lines(acceptedFile));
  const lost = [...accepted].filter((number) => !names.has(number)).length;
  const renamed = [...names.values()].filter((ids) => ids.size > 1).length;
  console.log(lost, renamed, copies, accepted.size);
}

if (what === "post") await post(...rest);
else judge(...rest);
