// Demos measured by scripts/stress.d/analysis.
// node analysis.mjs break FOLDER: adds broken files to a folder of sounds.
// node analysis.mjs fill BACKUP FOLDER COPIES: adds COPIES of each sound to a backup as unmeasured demos.
// node analysis.mjs wait URL: waits at most twenty minutes until all are measured, as the admin whose password is in PASSWORD.
// node analysis.mjs judge WHOLE KILLED: compares the rows of two runs (.jsonl, with logs in .log). Prints the number of rows in
// the second run, how many of them wait, are leased, were abandoned, ended twice, or differ; and how often one was started
// again.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, newId, openBackup } from "../bench.d/backup-fill.mjs";
import { clientOf, pause, signIn } from "./client.mjs";

const [, , what, ...rest] = process.argv;
const TYPES = { wav: "audio/wav", flac: "audio/flac", mp3: "audio/mpeg", m4a: "audio/mp4", zip: "application/zip" };
/** Fields that depend on the run, not on the sound. */
const OF_A_RUN = ["tries", "next_try_at", "lease", "leased_until", "work_ms"];

/** Adds files that are cut in half, cut to their head, empty, or overwritten with noise in the middle. */
function spoil(folder) {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `half ${name}`), bytes.subarray(0, bytes.length >> 1));
    writeFileSync(join(folder, `short ${name}`), bytes.subarray(0, 44));
    const noisy = Buffer.from(bytes);
    for (let place = bytes.length >> 2; place < bytes.length >> 1; place += 1) noisy[place] = (place * 167) & 255;
    writeFileSync(join(folder, `noisy ${name}`), noisy);
  }
  writeFileSync(join(folder, "words.mp3"), "<!doctype html>");
  writeFileSync(join(folder, "nothing.wav"), "");
}

function fill(backup, folder, copies) {
  const { store, add } = openBackup(backup);
  const sounds = readdirSync(folder).sort();
  const demos = [];
  for (let copy = 0; copy < Number(copies); copy += 1) {
    for (const name of sounds) {
      const number = demos.length;
      const extension = name.split(".").at(-1);
      const key = store(`demos/${1_600_000_000_000 + number}-${newId()}.${extension}`, readFileSync(join(folder, name)), at(number), TYPES[extension]);
      demos.push({
        id: newId(),
        file_key: key,
        artist_name: `Artist ${copy}`,
        email: `demo.${number}@listeners.example`,
        message: null,
        original_name: name,
        submitted_at: at(number),
      });
    }
  }
  add({ demos });
}

async function wait(url) {
  const send = clientOf(url);
  const token = await signIn(send, "admin@label.example", process.env.PASSWORD);
  const isWaiting = async () => {
    let cursor = "";
    do {
      const answer = await send("GET", `/api/admin/desk/demos?limit=100${cursor}`, { token });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.bytes}`);
      const { items, next_cursor } = answer.json();
      if (items.some(({ sound }) => sound.state === "waiting")) return true;
      cursor = next_cursor && `&cursor=${encodeURIComponent(next_cursor)}`;
    } while (cursor);
    return false;
  };
  for (const until = Date.now() + 20 * 60_000; (await isWaiting()) && Date.now() < until; ) await pause(1000);
}

const nameOf = ({ demo_id, track }) => `${demo_id} ${track}`;

function read(run) {
  const rows = readFileSync(`${run}.jsonl`, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return new Map(rows.map((row) => [nameOf(row), row]));
}

const figures = (row) => JSON.stringify(Object.entries(row).filter(([column]) => !OF_A_RUN.includes(column)).sort());

/** How often each ended, by the log. */
function ends(run) {
  const counts = new Map();
  for (const line of readFileSync(`${run}.log`, "utf8").split("\n")) {
    if (!/"analysis of demos"/.test(line) || !/"(done|failed)"/.test(line)) continue;
    const { key } = JSON.parse(line);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function judge(whole, killed) {
  const undisturbed = read(whole);
  const rows = [...read(killed).values()];
  const counts = ends(killed);
  if (counts.size === 0) throw new Error("the log reports no measured demo");
  const isGivenUp = ({ failure }) => failure === "crashed";
  // The tracks of an abandoned archive are unknown.
  const expected = [...undisturbed.values()].filter((row) => row.track === 0 || !rows.some((other) => other.demo_id === row.demo_id && other.track === 0 && isGivenUp(other)));
  const missing = expected.filter((row) => !rows.some((other) => nameOf(other) === nameOf(row)));
  const other = rows.filter((row) => row.state !== "waiting" && !isGivenUp(row)).filter((row) => !undisturbed.has(nameOf(row)) || figures(row) !== figures(undisturbed.get(nameOf(row))));
  const waiting = rows.filter(({ state }) => state === "waiting").length + missing.length;
  const leased = rows.filter((row) => row.lease !== null || row.leased_until !== null).length;
  const twice = [...counts.values()].filter((count) => count > 1).length;
  const again = rows.reduce((sum, { tries }) => sum + Math.max(0, tries - 1), 0);
  for (const row of other.slice(0, 5)) console.error(nameOf(row), figures(row).slice(0, 400), undisturbed.has(nameOf(row)) && figures(undisturbed.get(nameOf(row))).slice(0, 400));
  console.log(rows.length, waiting, leased, rows.filter(isGivenUp).length, twice, other.length, again);
}

if (what === "break") spoil(...rest);
else if (what === "fill") fill(...rest);
else if (what === "wait") await wait(...rest);
else judge(...rest);
process.exit(0);
