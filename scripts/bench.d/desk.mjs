// Measures the desk's requests, one after the other: node desk.mjs URL ROUNDS KEPT, with the password of one@label.example in
// PASSWORD. The KEPT oldest demos are left unchanged.
import { clientOf, percentile, signIn } from "../stress.d/client.mjs";

const [, , url, asked, kept] = process.argv;
const rounds = Number(asked);
const send = clientOf(url, { sockets: 1 });
const token = await signIn(send, "one@label.example", process.env.PASSWORD);
const DESK = "/api/admin/desk";
const DEMOS = `${DESK}/demos`;
const DECLINED_AT_ONCE = 200;

const range = (count, make) => Array.from({ length: count }, (_, nth) => make(nth));
const ms = (time) => (time < 10 ? time.toFixed(1) : time.toFixed(0)).padStart(8);
/** The server's first rows, and the latest times. */
let rows = 0;
function line(what, times, budget = "(none)") {
  if (rows === 0) console.log(`    ${"".padEnd(46)}${["p50", "p95", "p99", "most"].map((name) => name.padStart(8)).join("")}`);
  rows += 1;
  const shares = [0.5, 0.95, 0.99].map((share) => ms(percentile(times, share))).join("");
  console.log(`    ${what.padEnd(46)}${shares}${ms(Math.max(...times))}   budget ${budget}`);
}

/** Sends a request; returns the response and its time including the body. */
async function ask(method, path, body) {
  const began = performance.now();
  const answer = await send(method, path, { body, token });
  const took = performance.now() - began;
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes}`);
  const isJson = answer.headers["content-type"]?.startsWith("application/json");
  return { took, found: isJson ? answer.json() : undefined };
}
const read = async (path) => (await ask("GET", path)).found;

/** The times of `count` calls; `call` makes one by its number. */
async function timesOf(count, call) {
  const times = [];
  for (let nth = 0; nth < count; nth += 1) times.push((await ask(...call(nth))).took);
  return times;
}
const reading = (query) => timesOf(rounds, () => ["GET", `${DEMOS}?limit=50${query}`]);

/** Reads `count` demos of a list, and the cursor after them. */
async function pageTo(count, query) {
  const items = [];
  let cursor = null;
  do {
    const page = await read(`${DEMOS}?limit=100${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && items.length < count);
  return { items, cursor };
}

const queue = await pageTo(Infinity, "");
const deepest = await pageTo(Math.floor(queue.items.length / 2), "");
const unheard = queue.items.filter(({ state }) => state === "new").slice(Number(kept));
const judged = queue.items.filter(({ state }) => state !== "new");
const demo = (nth) => unheard[nth % unheard.length].id;

line("the desk's figures", await timesOf(rounds, () => ["GET", DESK]));
line("the queue, first page of 50", await reading(""));
line(`the queue, the page after ${Math.floor(queue.items.length / 2)}`, await reading(`&cursor=${encodeURIComponent(deepest.cursor)}`));
for (const sort of ["-submitted", "submitted", "-state", "artist", "-score"]) line(`sorted by ${sort}`, await reading(`&sort=${sort}`));
for (const state of ["new", "heard", "shortlisted", "accepted", "declined"]) line(`state ${state}`, await reading(`&state=${state}`));
line("a tag", await reading("&tag=tag%207"));
line("a score", await reading("&score=4"));
line("not scored", await reading("&score=0"));
line("a sender", await timesOf(rounds, (nth) => ["GET", `${DEMOS}?limit=50&sender=${encodeURIComponent(unheard[nth % unheard.length].email)}`]));
line("state, tag, score and order together", await reading("&state=declined&tag=tag%207&score=4&sort=artist"));
line("search, words with one match", await timesOf(rounds, (nth) => ["GET", `${DEMOS}?limit=50&q=${unheard[nth % unheard.length].artist_name.split(" ").at(-1)}`]));
line("search, words with many matches", await reading("&q=take"));
line("search, words of notes", await reading("&q=3%3A17"));
line("search, words without a match", await timesOf(rounds, (nth) => ["GET", `${DEMOS}?limit=50&q=zzz%20${nth}`]));
line("a demo", await timesOf(rounds, (nth) => ["GET", `${DEMOS}/${judged[(nth * 7) % judged.length].id}`]));
line("a file of 2 KB", await timesOf(rounds, (nth) => ["GET", `/api/admin/demos/${demo(nth)}/file?inline=true`]));
line("listening to it", await timesOf(rounds, (nth) => ["PUT", `${DESK}/listening`, { demo_id: demo(nth) }]));
line("current listeners", await timesOf(rounds, () => ["GET", `${DESK}/listening`]));
line("a state", await timesOf(rounds, (nth) => ["PUT", `${DEMOS}/${demo(nth)}/state`, { state: "shortlisted" }]));
line("a score", await timesOf(rounds, (nth) => ["PUT", `${DEMOS}/${demo(nth)}/score`, { score: 1 + (nth % 5) }]));
line("tags", await timesOf(rounds, (nth) => ["PUT", `${DEMOS}/${demo(nth)}/tags`, { tags: ["dub", `night ${nth % 30}`] }]));
line("a note", await timesOf(rounds, (nth) => ["POST", `${DEMOS}/${demo(nth)}/notes`, { text: "The second half, from the break on." }]));
line("a letter, filled in", await timesOf(rounds, (nth) => ["POST", `${DEMOS}/${demo(nth)}/answers/preview`, { kind: "declined" }]));
const answering = [];
const undoing = [];
for (let nth = 0; nth < rounds; nth += 1) {
  const letter = { kind: "declined", subject: "Your demo", text: "We have listened to it.\n\nThank you." };
  const { found, took } = await ask("POST", `${DEMOS}/${demo(nth)}/answers`, letter);
  answering.push(took);
  undoing.push((await ask("DELETE", `${DESK}/answers/${found.id}`)).took);
}
line("an answer", answering);
line("an answer undone", undoing);
const many = range(Math.min(20, Math.floor(unheard.length / DECLINED_AT_ONCE)), (nth) =>
  unheard.slice(nth * DECLINED_AT_ONCE, (nth + 1) * DECLINED_AT_ONCE).map(({ id }) => id),
);
line(`${DECLINED_AT_ONCE} declined at once (of ${many.length} times)`, await timesOf(many.length, (nth) => ["POST", `${DESK}/decline`, { ids: many[nth] }]));
line("the queue after it, first page", await reading(""));
process.exit(0);
