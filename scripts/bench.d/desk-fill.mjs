// Adds demos: node desk-fill.mjs BACKUP DEMOS REAL SOUNDS adds made-up demos with all their marks to the backup of a label with
// admins. The oldest REAL ones have real files from the folder SOUNDS, and are neither heard nor measured.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, makeMp3, newId, nth, openBackup, range } from "./backup-fill.mjs";

const [, , folder, size, real, sounds] = process.argv;
const demos = Number(size);
const isReal = (number) => number < Number(real);
const { read, store, add } = openBackup(folder);

const words = ["Kesto", "Somatic", "Null", "Ferrous", "Carrier", "Standing", "Inner", "Dead", "Return", "Parity"];
const nouns = ["Vann", "Drift", "Meridian", "Groove", "Path", "Wave", "Ring", "Error", "Plate", "Floor"];
const TYPES = { mp3: "audio/mpeg", wav: "audio/wav" };
const STATES = ["heard", "shortlisted", "accepted", "declined"];
const admins = read("users").map(({ id }) => id);
const files = readdirSync(sounds)
  .sort()
  .map((name) => ({ extension: name.split(".").at(-1), bytes: readFileSync(join(sounds, name)) }));
const short = { extension: "mp3", bytes: makeMp3(4) };

const minutes = (number) => at(number * 60);
/** Half of the made-up ones were heard. */
const stateOf = (number) => (isReal(number) || number % 2 === 0 ? "new" : STATES[(number >> 1) % 4]);
const ids = range(demos, newId);
const some = (keep, make) => range(demos, (number) => number).filter((number) => !isReal(number) && keep(number)).map(make);
const scoresOf = (number) => admins.slice(0, 1 + (number % 2));

add({
  demos: range(demos, (number) => {
    const { extension, bytes } = isReal(number) ? files[number % files.length] : short;
    const state = stateOf(number);
    const stepped = state === "new" ? null : minutes(demos + number);
    return {
      id: ids[number],
      file_key: store(`demos/${1_600_000_000_000 + number}-${newId()}.${extension}`, bytes, minutes(number), TYPES[extension]),
      artist_name: `${words[number % 10]} ${nouns[Math.floor(number / 10) % 10]} ${nth(number)}`,
      // Some senders have sent several.
      email: `demo.${nth(isReal(number) ? number : number % 7000)}@listeners.example`,
      message: "Two takes of the same night, in a room beside the yard. The second one is slower.",
      original_name: `take ${number % 9}.${extension}`,
      submitted_at: minutes(number),
      state,
      state_at: stepped,
      heard_at: stepped,
      shortlisted_at: state === "shortlisted" || state === "accepted" ? stepped : null,
    };
  }),
  demo_sounds: some(
    () => true,
    (number) => ({
      demo_id: ids[number],
      track: 0,
      state: "done",
      duration_ms: 104,
      sample_rate: 44_100,
      channels: 2,
      loudness: -14_000 - (number % 900),
      true_peak: -(number % 2000),
      clipped_samples: number % 3,
      silence_start_ms: 0,
      silence_end_ms: 0,
      peaks: Buffer.from(range(1000, (place) => (place * (number + 7)) % 256)).toString("hex"),
      tries: 1,
      next_try_at: minutes(number),
    }),
  ),
  demo_scores: some(
    (number) => stateOf(number) !== "new",
    (number) => scoresOf(number).map((user_id, who) => ({ demo_id: ids[number], user_id, score: 1 + ((number >> 1) + who) % 5, scored_at: minutes(demos + number) })),
  ).flat(),
  demo_notes: some(
    (number) => number % 3 === 0,
    (number) => ({ id: newId(), demo_id: ids[number], user_id: admins[number % 2], text: `The B side at 3:${10 + (number % 50)} is the one.`, created_at: minutes(demos + number) }),
  ),
  demo_tags: some(
    (number) => number % 2 === 0,
    (number) => range(1 + (number % 3), (place) => ({ demo_id: ids[number], tag: `tag ${(number / 2 + place * 11) % 40}` })),
  ).flat(),
  demo_answers: some(
    (number) => stateOf(number) === "declined" || stateOf(number) === "accepted",
    (number) => ({
      id: newId(),
      demo_id: ids[number],
      kind: stateOf(number),
      subject: "Your demo",
      text: "We have listened to it.\n\nThank you.",
      created_at: minutes(demos + number),
      created_by: admins[0],
      undo_until: minutes(demos + number) + 30_000_000,
      outbox_id: newId(),
      sent_at: minutes(demos + number) + 31_000_000,
      state_before: "heard",
      state_at_before: minutes(demos + number),
      heard_at_before: minutes(demos + number),
    }),
  ),
});
