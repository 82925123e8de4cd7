// The browser of the tests in one file. It comes as a thousand, and every file of tests, which begins in a process of
// its own, would spend more than half a second of computing on finding them.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { version } = require("happy-dom/package.json") as { version: string };
const FOLDER = fileURLToPath(new URL("node_modules/.vite/browser", import.meta.url));

/** Where it stands, by its version: another one is put together anew. */
export const BROWSER = join(FOLDER, `happy-dom-${version}.mjs`);

/** Puts it together, unless that was done before; Vitest calls it before all tests. */
export default async function bundleBrowser(): Promise<void> {
  if (existsSync(BROWSER)) return;
  const { build } = await import("vite");
  const draft = `${FOLDER}.${process.pid}`;
  await build({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    build: {
      ssr: join(dirname(require.resolve("happy-dom/package.json")), "lib/index.js"),
      outDir: draft,
      rolldownOptions: { output: { entryFileNames: "browser.mjs", codeSplitting: false } },
    },
  });
  mkdirSync(FOLDER, { recursive: true });
  // In one step: two runs may begin together.
  renameSync(join(draft, "browser.mjs"), BROWSER);
  rmSync(draft, { recursive: true });
}
