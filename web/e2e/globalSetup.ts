// Makes the sample label once, for journeys to begin with a copy of it: drawing it takes a core five seconds. It is kept beside
// the program until that is built anew, or a day has gone.
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
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
    const site = await Site.start({ sample: false });
    site.run("sample");
    site.run("backup", join(unfinished, "backup"));
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
