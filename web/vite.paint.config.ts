// Builds what paints public pages: one module, for an engine that has neither files nor packages nor a browser's objects.
//
// It lies beside the files of the website and is no part of it: nobody downloads it.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The pages that are painted, of those that the browser fetches when they are wanted. */
const PAINTED =
  /\/(?:ArtistPage|ReleasePage|StorePage|TerminalPage|ContactPage|PrivacyPolicyPage|SignupPage)\.tsx$/;

const LEFT_OUT = "\0left-out";

/** Draws nothing, and its effects never run while a page is painted. */
const LIVE_UPDATES = /\/app\/LiveUpdates\.tsx$/;

/** Leaves out what a browser would fetch later (dialogs, the dashboard, the rules), and live updates. */
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
      // The package's own entry brings the renderer for streams along, which is as large and asks for them.
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
    // Named as the browser's build names them, and written by that one.
    assetsInlineLimit: 0,
    ssrEmitAssets: false,
    minify: true,
    sourcemap: false,
    target: "es2023",
    rolldownOptions: { output: { entryFileNames: "paint.js", codeSplitting: false } },
  },
});
