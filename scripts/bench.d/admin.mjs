// Measures the dashboard: node admin.mjs URL EMAIL PASSWORD (run in web/). First the server's answers for the lists, one after
// the other; then the tabs in Chromium, each opened with an empty cache, switched to, and scrolled to its end; then searches
// and filters of a list.
import { createRequire } from "node:module";
import { percentile } from "../stress.d/client.mjs";

const { chromium, request } = createRequire(`${process.cwd()}/`)("@playwright/test");
const [, , url, identifier, password] = process.argv;
const desk = await request.newContext({ baseURL: url });
const entered = await desk.post("/api/auth/sign-in", { data: { identifier, password } });
if (!entered.ok()) throw new Error(await entered.text());
const passport = await desk.storageState();
const cookie = passport.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)}`;
const line = (...cells) =>
  console.log(`  ${cells[0].padEnd(34)}${cells.slice(1).map((cell) => String(cell).padStart(16)).join("")}`);

/** Sends a request; returns the response and its time including the body. */
async function ask(path) {
  const started = performance.now();
  const answer = await fetch(url + path, { headers: { cookie } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { body, took: performance.now() - started };
}

async function timesOf(count, path) {
  const times = [];
  for (let nth = 0; nth < count; nth += 1) times.push((await ask(path)).took);
  return times;
}

/** Reads a list page by page to its end; returns the time of each page. */
async function walk(path, sort) {
  const times = [];
  let rows = 0;
  for (let cursor; cursor !== null; ) {
    const { body, took } = await ask(`${path}?limit=50${sort ? `&sort=${sort}` : ""}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    times.push(took);
    rows += body.items.length;
    cursor = body.next_cursor ?? null;
  }
  return { times, rows };
}

const LISTS = {
  artists: "signal path",
  "artist-choices": "signal path",
  releases: "signal path",
  products: "pressing",
  media: "sleeve",
  newsletter: "signal.0",
  demos: undefined,
};
/** A different order for each list, and a state of few or no rows. */
const ASKED = {
  artists: ["name", "featured"],
  releases: ["catalog", "draft"],
  products: ["price", "inactive"],
  media: ["name", "not_public"],
  newsletter: ["email", "inactive"],
  demos: ["artist", "archive"],
};
const both = (times) => `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.99))}`;
console.log("\n  Server responses, p50 / p99 in ms");
line("list", "first page", "search, many", "search, none", "deep half", "sorted", "its deep half", "one state", "rows");
for (const [name, many] of Object.entries(LISTS)) {
  const path = `/api/admin/${name}`;
  const first = await timesOf(100, `${path}?limit=50`);
  const search = async (q) =>
    many === undefined ? "" : both(await timesOf(50, `${path}?limit=50&q=${encodeURIComponent(q)}`));
  const { times, rows } = await walk(path);
  const deep = times.slice(Math.floor(times.length / 2));
  const [sort, state] = ASKED[name] ?? [];
  const sorted = sort ? both(await timesOf(50, `${path}?limit=50&sort=${sort}`)) : "";
  const inOrder = sort ? (await walk(path, sort)).times : [];
  const deepInOrder = sort ? both(inOrder.slice(Math.floor(inOrder.length / 2))) : "";
  const narrowed = state ? both(await timesOf(50, `${path}?limit=50&state=${state}`)) : "";
  line(name, both(first), await search(many), await search("zzz nobody"), both(deep), sorted, deepInOrder, narrowed, rows);
}

const browser = await chromium.launch({
  executablePath: process.env.DEADWAX_CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** Opens a browser with an empty cache, signed in as an admin. */
async function openBrowser() {
  const context = await browser.newContext({
    baseURL: url,
    storageState: passport,
    viewport: { width: 1440, height: 900 },
  });
  await context.addInitScript(watch);
  return context.newPage();
}

/** Runs in the page: resolves when a tab is painted, with or without rows. */
function watch() {
  globalThis.whenPainted = (tab) =>
    new Promise((painted, missed) => {
      const seen = () => `${location.href}, ${document.visibilityState}: ${document.body.innerText.slice(0, 300)}`;
      setTimeout(() => missed(new Error(`${tab} did not come: ${seen()}`)), 60_000);
      const look = () => {
        const panel = document.querySelector("[role=tabpanel]:not([hidden])");
        const chosen = document.querySelector("[role=tab][aria-selected=true]");
        const isThere =
          panel?.querySelector("h2") &&
          !panel.querySelector("[aria-busy=true]") &&
          chosen?.textContent.trim().toLowerCase() === tab;
        if (!isThere) return requestAnimationFrame(look);
        // The frame after this one begins once this one is on the screen.
        return requestAnimationFrame(() => painted(performance.now()));
      };
      look();
    });
}

/** Runs in the page: scrolls to the last row as fast as rows arrive; returns the frame times in ms and the row reached. */
function scrollToEnd() {
  return new Promise((done) => {
    const frames = [];
    const started = performance.now();
    let last = started;
    let still = 0;
    let reached = 0;
    const moreKey = () =>
      [...document.querySelectorAll("[role=tabpanel] button")].find(({ innerText }) => /^load/i.test(innerText));
    const step = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      const before = scrollY;
      scrollBy(0, 1200);
      if (scrollY !== before) {
        still = 0;
        return requestAnimationFrame(step);
      }
      const more = moreKey();
      still = more ? 0 : still + 1;
      if (more?.ariaDisabled === "false") more.click();
      for (const row of document.querySelectorAll("[aria-posinset], tr[aria-rowindex]")) {
        reached = Math.max(reached, Number(row.ariaPosInSet ?? row.ariaRowIndex - 1));
      }
      if (still < 120 && now - started < 180_000) return requestAnimationFrame(step);
      return done({ frames: frames.slice(1), took: now - started, reached });
    };
    requestAnimationFrame(step);
  });
}

const ROUNDS = 5;
const first = await openBrowser();
await first.goto("/admin");
await first.getByRole("tab").first().waitFor();
const tabs = (await first.getByRole("tab").allInnerTexts()).map((name) => name.trim().toLowerCase());
await first.context().close();

console.log(`\n  Tabs in Chromium, ms to the painted first rows (median of ${ROUNDS}, worst), then scrolled to the end`);
line("tab", "cold load", "switched to", "rows reached", "longest frame", "p99 frame", "to the end");
let slowest = 0;
let roughest = 0;
for (const tab of tabs) {
  const cold = [];
  const switched = [];
  let scrolled;
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openBrowser();
    await page.goto(`/admin?tab=${tab}`, { waitUntil: "commit" });
    cold.push(await page.evaluate((name) => globalThis.whenPainted(name), tab));
    if (round === 0) scrolled = await page.evaluate(scrollToEnd);
    await page.context().close();

    const other = await openBrowser();
    const from = tab === tabs[0] ? tabs.at(-1) : tabs[0];
    await other.goto(`/admin?tab=${from}`);
    await other.evaluate((name) => globalThis.whenPainted(name), from);
    // The pointer is over the tab a moment before it is pressed.
    const wanted = other.getByRole("tab", { name: tab });
    await wanted.hover();
    await other.waitForTimeout(150);
    const stood = other.evaluate(
      (name) =>
        new Promise((done) => {
          const pressed = ({ timeStamp }) =>
            globalThis.whenPainted(name).then((painted) => done(painted - timeStamp));
          addEventListener("click", pressed, { capture: true, once: true });
        }),
      tab,
    );
    await wanted.click();
    switched.push(await stood);
    await other.context().close();
  }
  const { frames, took, reached } = scrolled;
  const worst = Math.max(...cold, ...switched);
  slowest = Math.max(slowest, worst);
  roughest = Math.max(roughest, ...frames);
  const shown = (times) => `${ms(percentile(times, 0.5))} (${ms(Math.max(...times))})`;
  line(
    tab,
    shown(cold),
    shown(switched),
    reached || "-",
    ms(Math.max(...frames)),
    ms(percentile(frames, 0.99)),
    reached ? `${(took / 1000).toFixed(1)} s` : "-",
  );
}

/**
 * Runs in the page: the time from the next user action to its painted result. `list` is the request that provides the result;
 * without one the view changes at once.
 */
function untilAnswered({ event, list, shown }) {
  performance.clearResourceTimings();
  return new Promise((done, missed) => {
    setTimeout(() => missed(new Error(`${list} did not answer`)), 60_000);
    const begin = ({ timeStamp }) => {
      const look = () => {
        const isRead = performance
          .getEntriesByType("resource")
          .some(({ name, startTime, responseEnd }) => name.includes(`${list}?`) && startTime >= timeStamp && responseEnd > 0);
        const isBusy = document.querySelector("[role=tabpanel] [aria-busy=true]");
        const isShown = shown === undefined || new RegExp(shown).test(document.querySelector("[role=tabpanel]").innerText);
        if ((list && !isRead) || isBusy || !isShown) return requestAnimationFrame(look);
        return requestAnimationFrame(() => done(performance.now() - timeStamp));
      };
      requestAnimationFrame(look);
    };
    addEventListener(event, begin, { capture: true, once: true });
  });
}

const REST_MS = 250;
const TOOLS = [
  { tab: "artists", label: "Artists", field: "Search names", search: "signal path", sort: "name", state: "featured" },
  { tab: "releases", label: "Releases", field: "Search releases", search: "404-0500", sort: "title", state: "scheduled" },
  { tab: "media", label: "General Media", field: "Search file names", search: "sleeve", sort: "name", state: "unused" },
  { tab: "newsletter", label: "Newsletter subscriptions", field: "Search emails", search: "signal.0", sort: "email", state: "inactive" },
];
console.log(
  `\n  Lists in Chromium, ms from the key to the painted result (median of ${ROUNDS}, worst); a search waits ${REST_MS} ms for the typing to rest`,
);
line("tab", "search", "sort", "filter", "all chosen", "of rows");
let slowestTool = 0;
for (const { tab, label, field, search, sort, state } of TOOLS) {
  const list = `/api/admin/${tab}`;
  const times = { search: [], sort: [], state: [], choice: [] };
  let loaded = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openBrowser();
    await page.goto(`/admin?tab=${tab}`);
    await page.evaluate((name) => globalThis.whenPainted(name), tab);
    const measure = async (into, wanted, act) => {
      const answered = page.evaluate(untilAnswered, wanted);
      await act();
      into.push(await answered);
    };
    const box = page.getByRole("searchbox", { name: field });
    await box.fill(search.slice(0, -1));
    await page.waitForTimeout(1_000);
    await measure(times.search, { event: "keydown", list }, () => box.press(search.at(-1)));
    await box.fill("");
    await page.waitForTimeout(1_000);
    await measure(times.sort, { event: "change", list }, () => page.getByLabel(`Sort ${label}`).selectOption(sort));
    await measure(times.state, { event: "change", list }, () => page.getByLabel(`Show ${label}`).selectOption(state));
    const all = page.getByLabel(/^Choose all loaded/).first();
    if (round === 0 && tab !== "newsletter") {
      await page.goto(`/admin?tab=${tab}`);
      await page.evaluate((name) => globalThis.whenPainted(name), tab);
      ({ reached: loaded } = await page.evaluate(scrollToEnd));
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(500);
      await measure(times.choice, { event: "click", shown: "\\d chosen" }, () => all.click());
      await page.keyboard.press("Escape");
      await page.waitForTimeout(200);
      await measure(times.choice, { event: "click", shown: "\\d chosen" }, () => all.click());
    }
    await page.context().close();
  }
  slowestTool = Math.max(slowestTool, ...Object.values(times).flat());
  const shown = (measured) => (measured.length ? `${ms(percentile(measured, 0.5))} (${ms(Math.max(...measured))})` : "-");
  line(tab, shown(times.search), shown(times.sort), shown(times.state), shown(times.choice), loaded || "-");
}
await browser.close();

const row = (what, measured, budget) =>
  console.log(`  ${what.padEnd(52)} ${measured.padStart(16)}   budget ${budget}`);
console.log("");
row("first rows of a tab, slowest", `${ms(slowest)} ms`, "< 1000 ms");
row("search, order, state or selection, slowest", `${ms(slowestTool)} ms`, "< 1000 ms");
row("longest frame while scrolling", `${ms(roughest)} ms`, "(none)");
await desk.dispose();
