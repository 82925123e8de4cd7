// Builds, serves and tests the app.
import { availableParallelism } from "node:os";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import wasm from "vite-plugin-wasm";
import { defineConfig } from "vitest/config";
import { compressedSiblings } from "./vite.compressed.ts";
import { firstPaint } from "./vite.firstPaint.ts";
import { noCircles } from "./vite.noCircles.ts";

export default defineConfig({
  plugins: [wasm(), react(), tailwindcss(), firstPaint(), noCircles(), compressedSiblings()],
  build: {
    // The content security policy forbids data: fonts and scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: {
      // All supported browsers have modulepreload, so the polyfill is omitted.
      polyfill: false,
      // The document's own scripts come last in it (vite.firstPaint.ts).
      resolveDependencies: (_, dependencies, { hostType }) =>
        hostType === "html" ? [] : dependencies,
    },
    rolldownOptions: {
      output: {
        // Named by their group: the default lists all pages that need a part of it.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, "")}-[hash].js`,
        codeSplitting: {
          groups: [
            // Packages that every page needs, in a file that outlives changes of the app.
            {
              name: "vendor",
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack)\//,
            },
            // Code of the app shared by several pages, in one file instead of many small ones. It loads with the
            // first view, so nothing else may be added.
            { name: "shared", test: /\/src\//, minShareCount: 2, tags: ["$initial"] },
            // Shared by forms, dialogs and toasts, with their libraries; loaded by the first that opens. Split by
            // use, so that toasts alone load no form. The smallest chunks are merged into ones loaded at the same
            // time; merging larger ones makes chunks that import each other.
            {
              name: "forms",
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
              test: /\/src\/(?:session(?!\/twoFactor)|rules|ui\/(?:Field|FormLine|Modal|messages|toasts\/toast\b))\b/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    // The app itself, and the packages linked into it.
    fs: { allow: [".", "../crates/rules-wasm/npm", "../crates/audio-wasm/npm"] },
    proxy: { "/api": "http://127.0.0.1:8080", "/media": "http://127.0.0.1:8080" },
  },
  test: {
    environment: "./vite.window.ts",
    globalSetup: ["vite.browser.ts"],
    // The browser build: Vitest would otherwise resolve the one for Node, which sends by other means.
    alias: { "tus-js-client": "tus-js-client/lib.esm/browser/index.js" },
    server: { deps: { inline: ["tus-js-client"] } },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    // More workers than cores, because tests wait for timers, renders and imports.
    maxWorkers: 2 * availableParallelism(),
    // The first test of a file also loads the code of its page, which takes far longer on a busy machine.
    testTimeout: 60_000,
  },
});
