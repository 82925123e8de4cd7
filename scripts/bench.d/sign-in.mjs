// Requests of scripts/bench.d/sign-in: node sign-in.mjs URL sign-ins COUNT | storm SECONDS | enumerate ACCOUNTS. Each request
// comes from a different visitor (by X-Forwarded-For), so that the limits are not reached.
import { Agent, request } from "node:http";

const [, , url, what, size] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 400 });
let visitors = 0;

function send(method, path, body, visitor = (visitors += 1)) {
  const started = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const headers = { "x-forwarded-for": `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}` };
    if (body) headers["content-type"] = "application/json";
    const asked = request(new URL(path, url), { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        resolve({ status: answer.statusCode, ms: Number(process.hrtime.bigint() - started) / 1e6 }),
      );
    });
    asked.on("error", reject);
    asked.end(body ? JSON.stringify(body) : undefined);
  });
}

const signIn = (identifier, password, visitor) =>
  send("POST", "/api/auth/sign-in", { identifier, password }, visitor);

const print = (label, measured, budget) => console.log([label, measured, budget].join("\t"));
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

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
  calm.sort((one, other) => one - other);
  pages.sort((one, other) => one - other);
  const summary = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`).join(", ");
  print("sign-ins of the burst (200 connections, 50 addresses)", summary, "no 500");
  print("p99 of /api/releases in the burst / before", `${quantile(pages, 0.99).toFixed(1)} ms / ${quantile(calm, 0.99).toFixed(1)} ms`, "<= 250 ms");
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
