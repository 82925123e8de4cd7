// Requests of scripts/bench.d/sign-in: node sign-in.mjs URL sign-ins COUNT | storm SECONDS | enumerate ACCOUNTS. Each request
// comes from a different visitor (by X-Forwarded-For), so that the limits are not reached.
import { clientOf, percentile } from "../stress.d/client.mjs";

const [, , url, what, size] = process.argv;
const client = clientOf(url, { sockets: 400 });
let visitors = 0;

async function send(method, path, body, visitor = (visitors += 1)) {
  const started = performance.now();
  const from = `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`;
  const { status } = await client(method, path, { body, from });
  return { status, ms: performance.now() - started };
}

const signIn = (identifier, password, visitor) =>
  send("POST", "/api/auth/sign-in", { identifier, password }, visitor);

const print = (label, measured, budget) => console.log([label, measured, budget].join("\t"));

/** The probability that a random response of one kind took longer than one of the other: 0.5 if they are indistinguishable. */
function auc(some, others) {
  let wins = 0;
  for (const one of some) for (const other of others) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return wins / (some.length * others.length);
}

if (what === "sign-ins") {
  for (let number = 0; number < Number(size); number += 1) {
    const { status } = await signIn("bench0@label.example", "correct horse battery");
    if (status !== 200) throw new Error(`sign-in answered ${status}`);
  }
} else if (what === "storm") {
  const end = Date.now() + Number(size) * 1000;
  const calm = [];
  for (let number = 0; number < 300; number += 1) calm.push((await send("GET", "/api/releases")).ms);
  const statuses = {};
  const attackers = Array.from({ length: 200 }, async (_, index) => {
    while (Date.now() < end) {
      const { status } = await signIn(`nobody${index}_${Date.now()}`, "wrong", 70_000 + (index % 50));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  const pages = [];
  while (Date.now() < end) pages.push((await send("GET", "/api/releases")).ms);
  await Promise.all(attackers);
  const summary = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`).join(", ");
  print("sign-ins of the burst (200 connections, 50 addresses)", summary, "no 500");
  print("p99 of /api/releases in the burst / before", `${percentile(pages, 0.99).toFixed(1)} ms / ${percentile(calm, 0.99).toFixed(1)} ms`, "<= 250 ms");
} else {
  const accounts = Number(size);
  const kinds = {
    "sign-in: wrong password / unknown address": [
      (number) => signIn(`bench${number}@label.example`, "wrong password"),
      (number) => signIn(`nobody${number}@label.example`, "wrong password"),
    ],
    "forgot: known / unknown address": [
      (number) => send("POST", "/api/auth/forgot", { email: `bench${number}@label.example` }),
      (number) => send("POST", "/api/auth/forgot", { email: `nobody${number}@label.example` }),
    ],
    "resend: known / unknown address": [
      (number) => send("POST", "/api/auth/resend", { email: `bench${number}@label.example` }),
      (number) => send("POST", "/api/auth/resend", { email: `nobody${number}@label.example` }),
    ],
  };
  for (const [label, [known, unknown]] of Object.entries(kinds)) {
    const times = [[], []];
    const statuses = new Set();
    for (let number = 0; number < accounts; number += 1) {
      for (const [index, ask] of [known, unknown].entries()) {
        const { status, ms } = await ask(number);
        statuses.add(status);
        times[index].push(ms);
      }
    }
    print(`${label} (AUC, ${accounts} each, ${[...statuses].join(" ")})`, auc(...times).toFixed(3), "0.45 - 0.55");
  }
}
