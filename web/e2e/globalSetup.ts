// Makes the sample label once, for journeys to begin with a copy of it: drawing it takes a core five seconds. It is kept beside
// the program until that is built anew, or a day has gone.
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { binary, postgres, SAMPLE_DATABASE, Site } from "./site.ts";

export default async function prepareSample(): Promise<void> {
  const { mtimeMs, size } = statSync(binary);
  const folder = join(dirname(binary), "e2e-sample");
  const name = `${size}-${Math.floor(mtimeMs)}-${new Date().toISOString().slice(0, 10)}`;
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(folder)) {
    if (other !== name) rmSync(join(folder, other), { recursive: true, force: true });
  }
  const sample = join(folder, name);
  if (readdirSync(folder).length === 0) {
    const unfinished = join(folder, "unfinished");
    const backup = join(unfinished, "backup");
    const drawn = await Site.start({ sample: false });
    drawn.run("sample");
    drawn.run("backup", backup);
    cpSync(drawn.dataDir, join(unfinished, "data"), {
      recursive: true,
      filter: (path) => path === drawn.dataDir || basename(path) === "key",
    });
    await drawn.remove();
    postponeSizes(backup);
    process.env.DEADWAX_E2E_SAMPLE = unfinished;
    const site = await Site.start({ sample: false, backup });
    await site.stop();
    cpSync(site.dataDir, join(unfinished, "data"), { recursive: true });
    await site.remove();
    renameSync(unfinished, sample);
  }
  process.env.DEADWAX_E2E_SAMPLE = sample;
  if (postgres) {
    const site = await Site.start({
      sample: false,
      engine: "postgres",
      database: SAMPLE_DATABASE,
      backup: join(sample, "backup"),
    });
    await site.remove();
  }
}

/** Microseconds of the year 2100. */
const NEVER = 4_102_444_800_000_000;

/**
 * Lets the pictures of a backup wait for their sizes for ever. Making them takes a core five minutes, and each label of the
 * journeys would begin with it; what makes sizes is tested in crates/server/tests/public/sizes.rs.
 */
function postponeSizes(backup: string): void {
  const table = join(backup, "tables/picture_sizes.jsonl");
  const rows = readFileSync(table, "utf8").replace(/"next_try_at":\d+/g, `"next_try_at":${NEVER}`);
  writeFileSync(table, rows);
  const file = join(backup, "manifest.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.tables.picture_sizes.sha256 = createHash("sha256").update(rows).digest("hex");
  writeFileSync(file, JSON.stringify(manifest));
}
