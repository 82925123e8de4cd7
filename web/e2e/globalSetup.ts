// Makes the sample label once, with its pictures in all their sizes, for journeys to begin with a copy of it: drawing it takes a core
// five seconds, and the sizes a minute. It is kept beside the program until that is built anew, or a day has gone.
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
    await untilSizesAreMade(site);
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

interface Pictured {
  cover_image_url?: string | null;
  image_url?: string | null;
  image_sizes: unknown;
}

async function untilSizesAreMade({ url }: Site): Promise<void> {
  const deadline = Date.now() + 600_000;
  while (Date.now() < deadline) {
    const lists = await Promise.all(
      ["/api/releases?limit=100", "/api/artists?limit=100"].map(async (path) => {
        return ((await (await fetch(`${url}${path}`)).json()) as { items: Pictured[] }).items;
      }),
    );
    const hero = (await (await fetch(`${url}/api/site-images/hero_background`)).json()) as Pictured;
    const pictures = [...lists.flat(), hero].filter((row) => row.cover_image_url ?? row.image_url);
    if (pictures.every(({ image_sizes }) => image_sizes)) return;
    await new Promise((wake) => setTimeout(wake, 250));
  }
  throw new Error("the sample's pictures have no sizes after ten minutes");
}
