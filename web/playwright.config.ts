import { defineConfig } from "@playwright/test";
import type { EngineOption } from "./e2e/browsers/test.ts";

// Journeys through the real program in the distribution's browsers, under the Content-Security-Policy visitors get. Chromium runs as
// its headless shell, which takes a third less work. No browser is downloaded: DEADWAX_CHROMIUM names another Chromium.
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig<object, EngineOption>({
  testDir: "e2e",
  globalSetup: "./e2e/globalSetup.ts",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 3,
  // Generous: the machine may be building something else at the same time.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: "test-results",
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  projects: [
    { name: "chromium", testIgnore: "browsers/**" },
    // Their journeys are in one file, so that each browser starts once.
    ...(["firefox", "webkit"] as const).map((engineName) => ({
      name: engineName,
      testMatch: "browsers/*.spec.ts",
      fullyParallel: false,
      timeout: 120_000,
      use: { engineName },
    })),
  ],
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
        // As in headed Chromium: a process per site.
        "--site-per-process",
        // Fractional letter widths, as on a phone.
        "--font-render-hinting=none",
        // Nothing outside the label is there; e2e/test.ts answers for players.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
