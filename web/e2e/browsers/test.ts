// The `test` of journeys that run in Firefox and WebKit: a label and a browser per worker, a tab per test.
import { test as base, expect } from "@playwright/test";
import { Site } from "../site.ts";
import { startFirefox } from "./firefox.ts";
import { Line } from "./line.ts";
import type { Engine, Tab } from "./tab.ts";
import { startWebKit } from "./webkit.ts";

export interface EngineOption {
  engineName: "firefox" | "webkit";
}

interface PerWorker extends EngineOption {
  /** A label with the sample catalogue. */
  site: Site;
  /** The only way to it. */
  line: Line;
  engine: Engine;
}

interface PerTest {
  tab: Tab;
  /** Browser messages that this test provokes. */
  expectedMessages: RegExp | undefined;
}

export const test = base.extend<PerTest, PerWorker>({
  engineName: ["firefox", { scope: "worker", option: true }],
  line: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const line = await Line.open();
      await use(line);
      line.close();
    },
    { scope: "worker" },
  ],
  site: [
    async ({ line }, use) => {
      const site = await Site.start({ sample: true, line });
      await use(site);
      await site.remove();
    },
    { scope: "worker" },
  ],
  engine: [
    async ({ engineName }, use) => {
      const engine = engineName === "firefox" ? await startFirefox() : await startWebKit();
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  expectedMessages: [undefined, { option: true }],
  tab: async ({ engine, site, expectedMessages }, use, testInfo) => {
    const tab = await engine.openTab();
    await use(tab);
    if (testInfo.status !== testInfo.expectedStatus) {
      const seen = await tab.text("body").catch(String);
      await testInfo.attach("page", { body: `${await tab.path().catch(String)}\n${seen}` });
    }
    await tab.close();
    const unexpected = tab.reported.filter((message) => !expectedMessages?.test(message));
    expect(unexpected, "what the browser reported").toEqual([]);
    expect(site.indiscretions(), "lines of the server's log that tell a secret").toEqual([]);
  },
});

export { expect };
