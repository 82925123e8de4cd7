// Bundles the tests' browser (happy-dom) into one file. Its thousand modules would cost every test file, each in a
// new process, more than half a second to resolve.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { version } = require("happy-dom/package.json") as { version: string };
const FOLDER = fileURLToPath(new URL("node_modules/.vite/browser", import.meta.url));

/** The bundle's path contains the version, so a new version is bundled again. */
export const BROWSER = join(FOLDER, `happy-dom-${version}-named.mjs`);

/** Bundles the browser unless it exists; Vitest calls this before all tests. */
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
      rolldownOptions: {
        output: {
          entryFileNames: "browser.mjs",
          codeSplitting: false,
          // Testing Library tells elements and texts by the names of their classes. Of others it prints nothing, and
          // a wait that has run out throws instead of ending.
          keepNames: true,
        },
      },
    },
  });
  mkdirSync(FOLDER, { recursive: true });
  // Renamed atomically, because two runs may start together.
  renameSync(join(draft, "browser.mjs"), BROWSER);
  rmSync(draft, { recursive: true });
}
