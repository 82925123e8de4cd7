// Measures a large catalogue: node catalogue.mjs URL EMAIL PASSWORD ROUNDS IMPORT_ROWS PID. Every response is uncached: its
// address is new, or a change has invalidated it.
import { readFileSync } from "node:fs";
import { clientOf, percentile, signIn } from "../stress.d/client.mjs";

const [, , url, identifier, password, asked, size, pid] = process.argv;
const rounds = Number(asked);
const rows = Number(size);

const ms = (time) => (time < 10 ? time.toFixed(1) : time.toFixed(0));
const line = (what, times, budget = "(none)") =>
  console.log(
    `    ${what.padEnd(50)}${ms(percentile(times, 0.5)).padStart(8)}${ms(percentile(times, 0.99)).padStart(8)}   budget ${budget}`,
  );
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** Sends a request; returns the response and its time including the body. */
async function ask(path, init = {}) {
  const started = performance.now();
  const answer = await fetch(url + path, init);
  const body = await answer.text();
  const took = performance.now() - started;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`);
  return { answer, body, took };
}
const read = async (path) => JSON.parse((await ask(path)).body);

/** The times of these requests, one after the other. */
async function timesOf(paths) {
  const times = [];
  for (const path of paths) times.push((await ask(path)).took);
  return times;
}
const range = (count, make) => Array.from({ length: count }, (_, nth) => make(nth));
const searched = (words) => words.map((word) => `/api/releases?q=${encodeURIComponent(word)}`);

const headers = { authorization: `Bearer ${await signIn(clientOf(url), identifier, password)}` };

/** Saves a release again, which invalidates cached responses. */
async function change(release, title) {
  const path = `/api/admin/releases/${release.id}`;
  const found = await ask(path, { headers });
  const { version, artist_id, catalog, description, release_date } = JSON.parse(found.body);
  const body = JSON.stringify({ title, artist_id, catalog, description, release_date });
  const { took } = await ask(path, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json", "if-match": `"${version}"` },
    body,
  });
  return took;
}

// The list page by page, from its beginning and from its middle.
const pages = [];
const slugs = [];
let first;
for (let cursor = "", nth = 0; nth < rounds; nth += 1) {
  const { body, took } = await ask(`/api/releases?limit=50${cursor}`);
  const page = JSON.parse(body);
  first ??= page.items[0];
  slugs.push(...page.items.map(({ slug }) => slug));
  pages.push(took);
  cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
}
line("the list, 50 rows, page by page", pages);
const some = range(rounds, (nth) => slugs[(nth * 37) % slugs.length]);
line("a release, from the API", await timesOf(some.map((slug) => `/api/releases/${slug}`)));
line("a release, its page", await timesOf(some.map((slug) => `/releases/${slug}`)), "<= 40 p50 (painted)");
line("oEmbed", await timesOf(some.map((slug) => `/api/oembed?url=${encodeURIComponent(`${url}/releases/${slug}`)}`)));

const number = (nth) => String((nth * 4_999) % 100_000).padStart(6, "0");
line("search, a number with one match", await timesOf(searched(range(rounds, number))), "<= 50 p99");
const often = ["locked", "groove", "signal", "path", "404", "oove", "o", "ed gr", "1", "signal path 1"];
const answers = range(rounds, (nth) => [often[nth % often.length], 1 + Math.floor(nth / often.length)]);
line(
  "search, words with many matches",
  await timesOf(answers.map(([word, limit]) => `/api/releases?limit=${limit}&q=${encodeURIComponent(word)}`)),
  "<= 50 p99",
);
line("search, words without a match", await timesOf(searched(range(rounds, (nth) => `zzz ${nth}`))), "<= 50 p99");
const { items: artists } = await read("/api/artists?limit=50");
line("an artist's releases", await timesOf(artists.map(({ id }) => `/api/releases?artist_id=${id}`)));

const after = { edit: [], list: [], feed: [], sitemap: [], part: [], page: [] };
const parts = [...(await ask("/sitemap.xml")).body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => new URL(loc).pathname);
const part = parts.filter((path) => path.startsWith("/sitemaps/")).at(-2);
for (let nth = 0; nth < Math.ceil(rounds / 10); nth += 1) {
  after.edit.push(await change(first, `${first.title} ${nth}`));
  after.list.push((await ask("/api/releases")).took);
  after.feed.push((await ask("/feed.xml")).took);
  after.sitemap.push((await ask("/sitemap.xml")).took);
  if (part) after.part.push((await ask(part)).took);
  after.page.push((await ask("/releases")).took);
}
line("saving a release", after.edit);
line("after it: the list", after.list);
line("after it: the feed", after.feed);
line("after it: the sitemap", after.sitemap);
if (part) line(`after it: one of its ${parts.length} parts`, after.part);
line("after it: the page of the list", after.page, "<= 40 p50 (painted)");

const table = [
  "Catalog#,Artist,Title,Released,Tracks",
  ...range(rows, (nth) => `IMP-${String(nth).padStart(5, "0")},Import ${nth % 300},Side ${nth},2020-01-02,"A ${nth} 5:00\nB ${nth} 6:10"`),
].join("\n");
async function send(path) {
  const form = new FormData();
  form.set("file", new Blob([table], { type: "text/csv" }), "catalogue.csv");
  return ask(path, { method: "POST", headers, body: form });
}
const rest = resident();
const preview = await send("/api/admin/imports/preview");
const printTime = (what, took, budget) => console.log(`    ${what.padEnd(50)}${ms(took).padStart(8)}${"".padStart(8)}   budget ${budget}`);
printTime(`import of ${rows} rows, the preview`, preview.took, "<= 3000");
const imported = await send("/api/admin/imports");
printTime("the import", imported.took, "<= 10000");
const undone = await ask(`/api/admin/imports/${JSON.parse(imported.body).id}/undo`, { method: "POST", headers });
printTime("its undoing", undone.took, "(none)");
console.log(`    resident before ${rest.toFixed(0)} MiB, peak so far ${peak().toFixed(0)} MiB, now ${resident().toFixed(0)} MiB`);
