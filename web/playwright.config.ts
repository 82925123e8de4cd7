import { defineConfig } from "@playwright/test";

// Journeys through the real program in the distribution's Chromium, under the Content-Security-Policy visitors get. It is the
// shell without windows: the same engine, a third less work for each journey. Nothing is downloaded: DEADWAX_CHROMIUM names another one.
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/globalSetup.ts",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // A machine that builds something else meanwhile is slow, not wrong.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: "test-results",
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      chromiumSandbox: false,
      executablePath: process.env.DEADWAX_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--disable-gpu",
        // As in windows: frames of other sites are processes of their own.
        "--site-per-process",
        // And letters are as wide as they are drawn on a phone, not rounded to whole pixels.
        "--font-render-hinting=none",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
