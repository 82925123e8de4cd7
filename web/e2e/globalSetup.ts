// Makes the sample label once for each engine; journeys begin with copies of it.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, postgres, SAMPLE_DATABASE, Site } from "./site.ts";

export default async function makeSamples(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "deadwax-e2e-sample-"));
  const engines: Engine[] = postgres ? ["sqlite", "postgres"] : ["sqlite"];
  for (const engine of engines) {
    const site = await Site.start({ sample: false, engine, database: SAMPLE_DATABASE });
    site.run("sample");
    await site.stop();
    cpSync(site.dataDir, join(folder, engine), { recursive: true });
    await site.remove();
  }
  process.env.DEADWAX_E2E_SAMPLE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
