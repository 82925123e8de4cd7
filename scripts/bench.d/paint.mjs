// Measures painted pages: node paint.mjs URL METRICS SERVER ROUNDS SECONDS, with the password of desk@label.example in
// PASSWORD.
import { readFileSync } from "node:fs";
import { clientOf, percentile, pause, signIn } from "../stress.d/client.mjs";

const [, , url, metrics, server, rounds, seconds] = process.argv;
const READERS = 64;
/** An idle engine is dropped within this time. */
const LET_GO_MS = 65_000;

const send = clientOf(url);
const row = (what, measured, budget) => console.log(`  ${what.padEnd(52)} ${measured.padStart(16)}   budget ${budget}`);
const ms = (value) => `${value.toFixed(1)} ms`;
const isPainted = ({ bytes }) => bytes.includes('id="root" data-painted');
const memory = () => Number(readFileSync(`/proc/${server}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;

async function count(name, label = "") {
  const text = await (await fetch(metrics)).text();
  const line = text.split("\n").find((one) => one.startsWith(name) && one.includes(label) && !one.startsWith("#"));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Reads a page; returns the time to its last byte. */
async function read(path) {
  const began = process.hrtime.bigint();
  const answer = await send("GET", path);
  return { answer, took: Number(process.hrtime.bigint() - began) / 1e6 };
}

const token = await signIn(send, "desk@label.example", process.env.PASSWORD);
let changes = 0;
/** Changes data that all pages show. */
async function change() {
  const body = { is_maintenance_mode: (changes += 1) % 2 === 1 };
  const answer = await send("PATCH", "/api/admin/maintenance/store", { body, token });
  if (answer.status !== 200) throw new Error(`changing: ${answer.status} ${answer.bytes}`);
}

// Signing in takes memory that does not belong to painting.
row("resident memory after signing in", `${memory().toFixed(1)} MiB`, "(none)");

const artist = (await send("GET", "/api/artists")).json().items[0].id;
const pages = ["/", "/releases", "/artists", `/artists/${artist}`, "/store", "/terminal", "/contact", "/privacy-policy", "/signup", "/nothing"];

const first = await read("/releases");
row("the first page, including loading the engine", `${ms(first.took)}${isPainted(first.answer) ? "" : " unpainted"}`, "(none)");

const [all, made, hits] = [[], [], []];
for (const path of pages) {
  const painting = [];
  const making = [];
  let unpainted = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    await change();
    const before = await count("deadwax_paint_seconds_sum");
    const { answer, took } = await read(path);
    if (isPainted(answer)) painting.push(((await count("deadwax_paint_seconds_sum")) - before) * 1000);
    else unpainted += 1;
    making.push(took);
    hits.push((await read(path)).took);
    // Painting time is a budget that refills; pausing keeps it from running out.
    await pause(40);
  }
  all.push(...painting);
  made.push(...making);
  const name = path.replace(artist, "…");
  console.log(`  ${name.padEnd(18)} painting p50 ${ms(percentile(painting, 0.5))}, p95 ${ms(percentile(painting, 0.95))}; made p50 ${ms(percentile(making, 0.5))}${unpainted ? `; ${unpainted} unpainted` : ""}`);
}
row("painting a page, including its wait, p50", ms(percentile(all, 0.5)), "<= 15 ms");
row("painting a page, including its wait, p95", ms(percentile(all, 0.95)), "(none)");
row("an uncached page, p50", ms(percentile(made, 0.5)), "<= 40 ms");
row("a cached page, p50", ms(percentile(hits, 0.5)), "(none)");
row("resident memory with the engine", `${memory().toFixed(1)} MiB`, "(none)");
await pause(LET_GO_MS);
row("resident memory after dropping it", `${memory().toFixed(1)} MiB`, "<= 48 MiB");

const took = [];
const seen = { painted: 0, unpainted: 0 };
const before = await Promise.all([count("deadwax_painted_total"), count("deadwax_paint_skipped_total", "busy"), count("deadwax_paint_skipped_total", "late"), count("deadwax_paint_skipped_total", "failed")]);
const until = Date.now() + Number(seconds) * 1000;
const reader = async (number) => {
  for (let turn = number; Date.now() < until; turn += 1) {
    const one = await read(pages[turn % pages.length]);
    took.push(one.took);
    seen[isPainted(one.answer) ? "painted" : "unpainted"] += 1;
    await pause(20);
  }
};
const writer = async () => {
  for (let at = Date.now(); at < until; at += 100) {
    await pause(at - Date.now());
    await change();
  }
};
const stormed = changes;
await Promise.all([...Array.from({ length: READERS }, (_, number) => reader(number)), writer()]);
const after = await Promise.all([count("deadwax_painted_total"), count("deadwax_paint_skipped_total", "busy"), count("deadwax_paint_skipped_total", "late"), count("deadwax_paint_skipped_total", "failed")]);
const [painted, busy, late, failed] = after.map((value, index) => value - before[index]);
console.log(`  burst: ${changes - stormed} changes of every page in ${seconds} s, ${READERS} readers, ${took.length} answers (${seen.painted} painted, ${seen.unpainted} not)`);
console.log(`  pages made: ${painted} painted, ${busy} skipped for lack of budget, ${late} late, ${failed} failed`);
row("responses in the burst, p50", ms(percentile(took, 0.5)), "(none)");
row("responses in the burst, p99", ms(percentile(took, 0.99)), "<= 300 ms");
row("responses in the burst, slowest", ms(percentile(took, 1)), "(none)");
await pause(10_000);
const calm = await Promise.all(pages.map(async (path) => isPainted((await read(path)).answer)));
row("pages painted ten seconds after the burst", `${calm.filter(Boolean).length} of ${pages.length}`, "all");
