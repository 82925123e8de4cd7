// The scripted hour: node desk-hour.mjs URL HEARD LEAFED (run in web/), with both admins' password in PASSWORD. Hears, scores,
// decides and answers the HEARD oldest demos with the keyboard, pages through the next ones, checks what a second admin sees,
// and reads the whole queue. BENCH_LISTEN_MS shortens listening, so that the hour takes minutes.
import { createRequire } from "node:module";
import { percentile } from "../stress.d/client.mjs";
import { awaitKey, awaitPress, playBare, scrollToEnd, watch, whenShown } from "./desk-watch.mjs";

const { chromium, request } = createRequire(`${process.cwd()}/`)("@playwright/test");
const [, , url, heard, leafed] = process.argv;
const LISTEN_MS = Number(process.env.BENCH_LISTEN_MS ?? 1000);
const DEMOS = "/api/admin/desk/demos";

const browser = await chromium.launch({
  executablePath: process.env.DEADWAX_CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const row = (what, measured, budget = "(none)") =>
  console.log(`  ${what.padEnd(52)} ${String(measured).padStart(16)}   budget ${budget}`);
const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
const both = (times) => `${ms(percentile(times, 0.5))}, ${ms(percentile(times, 0.95))}`;

const problems = [];
/** Signs an admin in, in a separate browser. */
async function enter(name) {
  const asking = await request.newContext({ baseURL: url });
  const entered = await asking.post("/api/auth/sign-in", { data: { identifier: `${name}@label.example`, password: process.env.PASSWORD } });
  if (!entered.ok()) throw new Error(await entered.text());
  const context = await browser.newContext({ baseURL: url, storageState: await asking.storageState(), viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watch);
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  return { page, asking };
}

const { page, asking } = await enter("one");
async function read(path) {
  const answer = await asking.get(path);
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()}`);
  return answer.json();
}

// Waits until the demos are measured, as they would be before an admin hears them.
let queue;
for (const end = Date.now() + 120_000; ; ) {
  queue = (await read(`${DEMOS}?limit=100`)).items.slice(0, Number(heard) + Number(leafed));
  const waiting = queue.filter(({ sound }) => sound.state === "waiting").length;
  if (waiting === 0) break;
  if (Date.now() > end) throw new Error(`${waiting} demos are not measured`);
  await page.waitForTimeout(500);
}

const times = new Map();
/** Keys pressed since the last demo. */
let keys = 0;
/** Presses a key; records its name and the time until its result is shown. */
async function press(key, name, wanted) {
  await page.evaluate(awaitKey, wanted);
  keys += 1;
  await page.keyboard.press(key);
  const took = await page.evaluate(() => globalThis.answered);
  if (!times.has(name)) times.set(name, []);
  times.get(name).push(took.seen);
  return took;
}
const key = (shortcut) => `[aria-keyshortcuts="${shortcut}"]`;
const pressed = (shortcut) => [`${key(shortcut)}[aria-pressed=true]`];
const onDesk = ({ artist_name }) => ["h2.type-heading", artist_name];
const playing = ({ artist_name }) => [key("Space"), `Pause ${artist_name}`];
const LETTER = "form[aria-label=Answer]";

await page.goto("/admin/demos");
await page.getByRole("heading", { level: 2, name: queue[0].artist_name }).waitFor();
await page.locator(`${key("Space")}:not([disabled])`).waitFor();
const begun = await press("Space", "Space", { shown: [playing(queue[0])], isHeard: true });

/** The keys for a demo, by decision. */
const WAYS = {
  declined: async (_, score) => {
    await score();
    await press("d", "D, with its letter", { shown: [pressed("D"), [`${LETTER} textarea`, "\n"]] });
  },
  accepted: async (_, score) => {
    await score();
    await press("a", "A, with its letter", { shown: [pressed("A"), [`${LETTER} textarea`, "\n"]] });
  },
  shortlisted: async (_, score) => {
    await score();
    await press("s", "S", { shown: [pressed("S")] });
    await press("r", "R, with its letter", { shown: [[`${LETTER} textarea`, "\n"]] });
  },
};
const order = ["declined", "declined", "shortlisted", "declined", "accepted"];
const count = { declined: [], accepted: [], shortlisted: [] };
const sounds = { Enter: [], N: [] };
const began = Date.now();
for (const [place, demo] of queue.slice(0, Number(heard)).entries()) {
  await page.waitForTimeout(LISTEN_MS);
  const way = order[place % order.length];
  keys = place === 0 ? 1 : 0;
  const score = 1 + (place % 5);
  await WAYS[way](demo, () => press(`Shift+Digit${score}`, "Shift and a digit", { shown: [pressed(`Shift+${score}`)] }));
  const next = queue[place + 1];
  const { heard: sound } = await press("Enter", "Enter, with the next demo", { shown: [onDesk(next), playing(next)], gone: LETTER, isHeard: true });
  sounds.Enter.push(sound);
  count[way].push(keys);
}
const took = (Date.now() - began) / 1000;

for (let place = Number(heard); place < queue.length - 1; place += 1) {
  await page.waitForTimeout(LISTEN_MS);
  const next = queue[place + 1];
  sounds.N.push((await press("n", "N", { shown: [onDesk(next), playing(next)], isHeard: true })).heard);
}
// The remaining keys, at the last demo.
const last = queue.at(-1);
for (let turn = 0; turn < Number(leafed); turn += 1) {
  // N looks for unheard demos, and the list may still be reading what U took back.
  await page.waitForTimeout(LISTEN_MS);
  await press("p", "P", { shown: [onDesk(queue.at(-2))] });
  await press("n", "N", { shown: [onDesk(last)] });
  const tenth = turn % 2 === 0 ? 5 : 2;
  const second = Math.floor((last.sound.duration_ms * tenth) / 10_000);
  // Playback continues in between.
  const places = [0, 1, 2].map((more) => `input[type=range][aria-valuetext^="0:${String(second + more).padStart(2, "0")}"]`);
  await press(`Digit${tenth}`, "a digit", { shown: [[places.join()]] });
  await press("s", "S", { shown: [pressed("S")] });
  await press("u", "U", { shown: [[`${key("S")}[aria-pressed=false]`]] });
  await press("e", "E", { shown: [["textarea:focus"]] });
  await page.evaluate(() => document.activeElement.blur());
  await press("/", "/", { shown: [["input[type=search]:focus"]] });
  await page.evaluate(() => document.activeElement.blur());
  await press("?", "?", { shown: [["[role=dialog] h2"]] });
  await press("Escape", "Escape", { gone: "[role=dialog]" });
}
const { pointers } = await page.evaluate(() => globalThis.desk);

// The server's state.
const { items: standing } = await read(`${DEMOS}?limit=100&sort=submitted`);
const undone = standing.slice(0, Number(heard)).filter(({ state, my_score }, place) => state !== order[place % order.length] || my_score !== 1 + (place % 5));
let answers = 0;
for (const { id } of standing.slice(0, Number(heard))) answers += (await read(`${DEMOS}/${id}`)).answers.length;

// A second admin with the same demo open.
const other = await enter("two");
await other.page.goto(`/admin/demos?demo=${last.id}`);
await other.page.getByRole("heading", { level: 2, name: last.artist_name }).waitFor();
const passed = [];
for (let turn = 0; turn < 2 * Number(leafed); turn += 1) {
  const isOn = turn % 2 === 0;
  const shown = other.page.evaluate(whenShown, [`${key("S")}[aria-pressed=${isOn}]`, ""]);
  await page.evaluate(awaitPress);
  await page.keyboard.press(isOn ? "s" : "u");
  passed.push((await shown) - (await page.evaluate(() => globalThis.pressed)));
  await page.waitForTimeout(100);
}

// The peer of the key that plays: a page with two players.
await page.goto("/privacy-policy");
const files = queue.slice(0, 2).map(({ id }) => `/api/admin/demos/${id}/file?inline=true`);
await page.evaluate(playBare, files);
await page.waitForTimeout(1000);
const bare = [];
for (let turn = 0; turn < Number(leafed); turn += 1) {
  await page.evaluate(awaitKey, { isHeard: true });
  await page.keyboard.press("n");
  bare.push((await page.evaluate(() => globalThis.answered)).heard);
  await page.waitForTimeout(LISTEN_MS);
}

// Opened with an empty cache, and paged to the end of the queue.
const cold = [];
for (let round = 0; round < 5; round += 1) {
  const opened = Date.now();
  await page.goto("/admin/demos", { waitUntil: "commit" });
  await page.locator("[aria-posinset]").first().waitFor();
  await page.locator(`${key("Space")}:not([disabled])`).waitFor();
  cold.push(Date.now() - opened);
}
const { frames, took: scrolled, reached } = await page.evaluate(scrollToEnd);
await browser.close();

row(`demos heard, scored, decided and answered in ${took.toFixed(0)} s`, `${Number(heard) - undone.length} of ${heard}`, "all");
row("letters waiting or sent", answers, heard);
for (const [way, each] of Object.entries(count)) row(`keys for a demo ${way}, at most`, Math.max(...each), "<= 4");
row("mouse clicks", pointers, "0");
row("errors of the pages", problems.length, "0");
for (const problem of new Set(problems)) console.log(`    ${problem.slice(0, 200)}`);
row("first key to sound, on a page just opened", ms(begun.heard));
row("N to sound, p50 and p95", both(sounds.N), "<= 150 ms p50");
row("Enter, with its letter, to the next sound, p50 and p95", both(sounds.Enter));
row("bare players, key to sound, p50 and p95", both(bare));
row("N relative to bare players, p50", `${(percentile(sounds.N, 0.5) / percentile(bare, 0.5)).toFixed(2)} x`);
for (const [name, each] of times) row(`${name}, to its result, p50 and p95`, both(each));
row("a state, until the other admin sees it, p50 and p95", both(passed), "<= 1000 ms p95");
row("the desk opened with an empty cache, p50 and max", `${ms(percentile(cold, 0.5))}, ${ms(Math.max(...cold))}`);
row(`scrolled through ${reached} demos in ${(scrolled / 1000).toFixed(1)} s, p99 frame`, ms(percentile(frames, 0.99)));
row("its longest frame", ms(Math.max(...frames)));
await asking.dispose();
await other.asking.dispose();
