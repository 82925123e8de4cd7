// Builds the code that paints public pages as one module, for an engine without files, packages or browser objects.
//
// It is stored beside the website's files but never served.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Lazily loaded pages that are painted. */
const PAINTED =
  /\/(?:ArtistPage|ReleasePage|StorePage|TerminalPage|ContactPage|PrivacyPolicyPage|SignupPage|ListPages|LettersPage|LetterPage)\.tsx$/;

const LEFT_OUT = "\0left-out";

/** Renders nothing, and its effects never run while painting. */
const LIVE_UPDATES = /\/app\/LiveUpdates\.tsx$/;

/** Excludes live updates, and what a browser loads later (dialogs, the dashboard, the rules). */
function publicPagesAlone(): Plugin {
  return {
    name: "deadwax:public-pages-alone",
    enforce: "pre",
    resolveId: (source, _importer, { kind }) =>
      kind === "dynamic-import" && !PAINTED.test(source) ? LEFT_OUT : undefined,
    load: (id) => {
      if (LIVE_UPDATES.test(id)) return "export const LiveUpdates = () => null;";
      return id === LEFT_OUT ? "export {};" : undefined;
    },
  };
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [publicPagesAlone(), react()],
  publicDir: false,
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: {
    alias: {
      // The package's own entry includes the streaming renderer, which is as large and needs streams.
      "react-dom/server": file(
        "node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js",
      ),
    },
  },
  ssr: {
    noExternal: true,
    target: "webworker",
    resolve: { conditions: ["worker", "module", "production"] },
  },
  build: {
    ssr: "src/entry.server.tsx",
    outDir: "dist/server",
    emptyOutDir: true,
    // Assets keep the names of the browser's build, which writes them.
    assetsInlineLimit: 0,
    ssrEmitAssets: false,
    minify: true,
    sourcemap: false,
    target: "es2023",
    rolldownOptions: { output: { entryFileNames: "paint.js", codeSplitting: false } },
  },
});
