// A round of scripts/stress.d/scheduled: node scheduled.mjs ENGINE BINARY FOLDER PORT OTHER_PORT ROUND, with the password of
// admin@label.example in PASSWORD. Serves FOLDER.0 (and FOLDER.1), and prints for each promise, separated by tabs: its name,
// the count, the maximum over all rounds, and `sum` or `max`.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { clientOf, pause, signIn } from "./client.mjs";

const [, , engine, binary, folder, port, otherPort, round] = process.argv;
const COUNT = 100;
const isShared = engine === "PostgreSQL";

/** Starts an instance and waits until it is ready. */
async function serve(number, listen) {
  const env = { ...process.env, DEADWAX_LISTEN: `127.0.0.1:${listen}`, DEADWAX_DATA_DIR: `${folder}.${number}`, DEADWAX_PUBLIC_URL: `http://127.0.0.1:${port}` };
  const child = spawn(binary, ["serve"], { env, stdio: ["ignore", process.stderr, process.stderr] });
  const send = clientOf(`http://127.0.0.1:${listen}`, { host: `127.0.0.1:${port}` });
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(20)) {
    const answer = await send("GET", "/readyz").catch(() => null);
    if (answer?.status === 200) return { child, send, readyAt: Date.now(), url: `http://127.0.0.1:${listen}` };
    if (child.exitCode !== null) break;
  }
  throw new Error(`instance ${number} did not start`);
}

/** Whether the stream said that everything may have changed: a client that falls behind reads all anew. */
let isResynced = false;

/** Follows an instance's live stream and notes when and how often it announced each release. */
function follow(instance, announced) {
  const headers = { accept: "text/event-stream", host: `127.0.0.1:${port}` };
  return new Promise((opened, failed) => {
    const asked = request(new URL("/api/events", instance.url), { agent: false, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        const frames = (text + chunk).split("\n\n");
        text = frames.pop();
        for (const frame of frames) {
          if (/^event: resync$/m.test(frame)) isResynced = true;
          if (!/^event: change$/m.test(frame)) continue;
          const { table, key, op } = JSON.parse(frame.match(/^data: (.*)$/m)[1]);
          if (table === "releases" && op === "insert") announced.set(key, [...(announced.get(key) ?? []), Date.now()]);
        }
      });
      answer.on("error", () => {});
      opened();
    });
    asked.on("error", failed);
    asked.end();
  });
}

const all = [];
const end = () => all.forEach(({ child }) => child.kill("SIGKILL"));
process.on("exit", end);
process.on("SIGTERM", () => process.exit(1));

const first = await serve(0, port);
all.push(first);
const token = await signIn(first.send, "admin@label.example", process.env.PASSWORD);
const due = Math.ceil(Date.now() / 1000) * 1000 + 6000;
const ids = [];
for (let number = 0; number < COUNT; number += 1) {
  const body = { title: `Release ${number}`, release_date: "2026-07-18", publish: "on_date", goes_out_at: new Date(due).toISOString() };
  const answer = await first.send("POST", "/api/admin/releases", { body, token });
  if (answer.status !== 201 || answer.json().state !== "scheduled") throw new Error(`${answer.status} ${answer.bytes}`);
  ids.push(answer.json().id);
}
const announced = new Map();
let left;
let from = due;
if (isShared) {
  left = await serve(1, otherPort);
  all.push(left);
  await follow(left, announced);
  // From before the first is published to after the last, by either instance.
  await pause(due - Date.now() - 100 + Number(round) * 60);
  first.child.kill("SIGKILL");
} else {
  await pause(due - Date.now() - 1000);
  first.child.kill("SIGKILL");
  await pause(2500);
  left = await serve(0, port);
  all.push(left);
  from = left.readyAt;
  await follow(left, announced);
}
let shown = 0;
let shownAt = 0;
for (const until = Date.now() + 10_000; Date.now() < until && shown < COUNT; await pause(20)) {
  const answer = await left.send("GET", "/api/releases?limit=100");
  shown = answer.json().items.length;
  shownAt = Date.now();
}
// Time for a second announcement to arrive.
await pause(1500);
const times = ids.map((id) => announced.get(id) ?? []);
const heard = times.filter((of) => of.length > 0);
// A stream opened after a restart is sent later publications only; it has read the earlier ones.
const unheard = isShared && !isResynced ? COUNT - heard.length : 0;
const rows = [
  ["releases that did not go out", COUNT - shown, 0, "sum"],
  ["releases never announced on a stream", unheard, 0, "sum"],
  ["releases announced on a stream more than once", times.filter((of) => of.length > 1).length, 0, "sum"],
  ["releases without an address of their own", await addressless(), 0, "sum"],
  ["milliseconds until the last was shown", Math.max(0, shownAt - from), 1000, "max"],
  ["milliseconds until the last announcement", Math.max(0, ...heard.map(([at]) => at - from)), 1000, "max"],
];
for (const row of rows) console.log(row.join("\t"));
process.exit(0);

async function addressless() {
  const { items } = (await left.send("GET", "/api/releases?limit=100")).json();
  return COUNT - new Set(items.map(({ slug }) => slug).filter(Boolean)).size;
}
