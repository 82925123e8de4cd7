// How the app is built, served while developing, and tested.
import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import wasm from "vite-plugin-wasm";
import { defineConfig } from "vitest/config";
import { compressedSiblings } from "./vite.compressed.ts";
import { firstPaint } from "./vite.firstPaint.ts";

export default defineConfig({
  plugins: [wasm(), react(), tailwindcss(), firstPaint(), compressedSiblings()],
  build: {
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: {
      // Browsers of the baseline know modulepreload; the polyfill would only cost bytes.
      polyfill: false,
      // The document's own scripts stand in it behind everything else (vite.firstPaint.ts).
      resolveDependencies: (_, dependencies, { hostType }) =>
        hostType === "html" ? [] : dependencies,
    },
    rolldownOptions: {
      output: {
        // By their group: the names of all pages that need a part of it say nothing to anybody.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, "")}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every page needs of others, in one file that outlives the app's own changes.
            {
              name: "vendor",
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack)\//,
            },
            // What several pages share of the app itself: one file instead of a handful of crumbs. The first view
            // loads it, so nothing else may get in.
            { name: "shared", test: /\/src\//, minShareCount: 2, tags: ["$initial"] },
            // What forms, dialogs and toasts share, with the libraries they are made of; loaded by the first that opens.
            // Parted by who needs it: whoever needs toasts alone loads no form. What is small goes with what is loaded
            // beside it anyway, so that nobody waits for a dozen crumbs.
            {
              name: "forms",
              entriesAware: true,
              entriesAwareMergeThreshold: 15_000,
              test: /\/src\/(?:session(?!\/twoFactor)|rules|ui\/(?:Field|FormLine|Modal|messages|toasts\/toast\b))\b/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    // The app itself, and the packages that are linked into it.
    fs: { allow: [".", "../crates/rules-wasm/npm", "../crates/audio-wasm/npm"] },
    proxy: { "/api": "http://127.0.0.1:8080", "/media": "http://127.0.0.1:8080" },
  },
  test: {
    environment: "./vite.window.ts",
    globalSetup: ["vite.browser.ts"],
    // What browsers get of it: packages are otherwise taken as Node finds them, and there it sends by other means.
    alias: { "tus-js-client": "tus-js-client/lib.esm/browser/index.js" },
    server: { deps: { inline: ["tus-js-client"] } },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    // More at a time than there are cores: tests wait for timers, for what is drawn, and for one another's imports.
    maxWorkers: 2 * availableParallelism(),
    // The first test of a file waits for the code of its page too, which takes a busy machine many times as long.
    testTimeout: 60_000,
  },
});
