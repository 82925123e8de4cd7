import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config.ts";

// Pictures of every screen for docs/screens, taken by scripts/screens in the browser of the journeys. They test nothing.
export default defineConfig({
  ...journeys,
  testDir: "screens",
  testMatch: "*.shots.ts",
  projects: [{ name: "screens" }],
  maxFailures: 4,
  reporter: [["line"]],
  use: { ...journeys.use, screenshot: "off", locale: "en-GB", timezoneId: "UTC" },
});
