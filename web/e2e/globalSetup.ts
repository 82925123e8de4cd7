// Makes an empty label and the sample label once for each engine; journeys begin with copies of them.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, postgres, Site, TEMPLATES, type Template } from "./site.ts";

export default async function makeTemplates(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "deadwax-e2e-templates-"));
  process.env[TEMPLATES] = folder;
  const make = async (engine: Engine, becomes: Template, fill: (site: Site) => unknown) => {
    const site = await Site.start({ sample: false, engine, becomes });
    await fill(site);
    await site.stop();
    cpSync(site.dataDir, join(folder, `${engine}-${becomes}`), { recursive: true });
    await site.remove();
  };
  const engines: Engine[] = postgres ? ["sqlite", "postgres"] : ["sqlite"];
  await Promise.all(engines.map((engine) => make(engine, "empty", untilSizesAreMade)));
  // Loading the sample blocks this process, also the other engine's wait for its server.
  for (const engine of engines) await make(engine, "sample", (site) => site.run("sample"));
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Waits for the sizes of the default background, which take seconds: each copy would make them again. */
async function untilSizesAreMade(site: Site): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${site.url}/api/site-images/hero_background`);
    if ((await answer.json()).image_sizes) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error("the sizes of the default background were not made");
}
