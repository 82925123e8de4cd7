// The `test` every journey uses: a label of the worker's own, and a page that fails its test when the browser
// reports anything (a console error, an exception, a broken Content-Security-Policy, a request to a third party that
// is not expected).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { Site } from "./site.ts";

interface PerTest {
  /** Browser messages this test provokes on purpose; anything else fails it. */
  expectedMessages: RegExp | undefined;
  /** Starts a label of this test's own; it ends after the page. */
  startSite: typeof Site.start;
  /** Opens another person's browser, which shares nothing with the first one. */
  openBrowser: () => Promise<Page>;
  /** Errors and warnings of all browsers. */
  reported: string[];
  watch: undefined;
  discretion: undefined;
}

interface PerWorker {
  /** A label with the sample catalogue that tests only read; the accounts in it are each test's own. */
  site: Site;
}

export const test = base.extend<PerTest, PerWorker>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const site = await Site.start({ sample: true });
      await use(site);
      await site.remove();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  expectedMessages: [undefined, { option: true }],
  startSite: async ({ page }, use) => {
    const sites: Site[] = [];
    await use(async (options) => {
      const site = await Site.start(options);
      sites.push(site);
      return site;
    });
    await page.close();
    for (const site of sites) await site.remove();
    for (const site of sites) expectDiscretion(site);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, use) => use(newClient()),
  openBrowser: async ({ browser, reported }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ extraHTTPHeaders: newClient() });
      contexts.push(context);
      await watchBrowser(context, reported, true);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  reported: async ({}, use) => use([]),
  watch: [
    async ({ context, expectedMessages, javaScriptEnabled, reported }, use) => {
      await watchBrowser(context, reported, javaScriptEnabled !== false);
      await use(undefined);
      const unexpected = reported.filter((message) => !expectedMessages?.test(message));
      expect(unexpected, "what the browser reported").toEqual([]);
    },
    { auto: true },
  ],
  discretion: [
    async ({ site }, use) => {
      await use(undefined);
      expectDiscretion(site);
    },
    { auto: true },
  ],
});

function expectDiscretion(site: Site): void {
  expect(site.indiscretions(), "lines of the server's log that tell a secret").toEqual([]);
}

let clients = 0;

/** The headers of a new client: limits go by client address. */
export function newClient(): { "X-Forwarded-For": string } {
  clients += 1;
  return { "X-Forwarded-For": `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` };
}

async function watchBrowser(
  context: BrowserContext,
  reported: string[],
  runsScripts: boolean,
): Promise<void> {
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { url } = message.location();
    // Which file, call or picture it was is not in Chromium's words.
    reported.push(
      FAILED_RESOURCE.test(message.text()) ? `${message.text()} ${url}` : message.text(),
    );
  });
  context.on("weberror", (error) => reported.push(`uncaught: ${error.error().message}`));
  // File choosers are caught from a page's beginning. Catching that begins only when a test waits for one reaches a busy page
  // after the key that opens it, and what was opened then is never heard of.
  context.on("page", (page) => {
    page.on("filechooser", () => undefined);
    if (runsScripts) waitForApp(page);
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy broken: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
}

/**
 * Answers every address outside the label with an empty document, and returns the addresses. Without it no such address is
 * found, which the browser reports. Chromium caches nothing while requests are answered here.
 */
export async function answerPlayers(context: BrowserContext): Promise<string[]> {
  const asked: string[] = [];
  await context.route(
    (url) => url.hostname !== "127.0.0.1" && url.protocol.startsWith("http"),
    (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><title>player</title>",
      });
    },
  );
  return asked;
}

/**
 * Lets a page count as loaded once the app has taken it over. People take longer than that to do anything; quicker input is
 * tested in painted.spec.ts, whose pages are waited for in other words.
 */
function waitForApp(page: Page): void {
  const untilTakenOver = async () => {
    await page.waitForFunction(isTakenOver);
    // Effects of a commit, such as listening to the history, run after its paint.
    await page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))),
    );
  };
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await untilTakenOver();
    return response;
  };
  const reload = page.reload.bind(page);
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await untilTakenOver();
    return response;
  };
}

/** Runs in the page: true once React has hydrated or rendered the app, or where the document has none. */
export function isTakenOver(): boolean {
  const root = document.getElementById("root");
  if (!root) return true;
  const key = Object.keys(root).find((name) => name.startsWith("__reactContainer"));
  const fiber = key && (root as unknown as Record<string, ReactRoot | undefined>)[key];
  const current = fiber ? fiber.stateNode.current : undefined;
  return current !== undefined && current.child !== null && !current.memoizedState.isDehydrated;
}

/** What React keeps at the element that it renders into. */
interface ReactRoot {
  stateNode: { current: { child: object | null; memoizedState: { isDehydrated: boolean } } };
}

export { expect };

/** What Chromium says of a call that was refused, as it should have been. */
export const REFUSED = /Failed to load resource: .* status of (401|403|409|422|429) /;
/** Chromium's word on a document, picture or call that was not answered with success. */
export const FAILED_RESOURCE = /Failed to load resource/;
/**
 * Messages that a page left open through a restart cannot avoid, whatever it was reading. The wording depends on how far that was:
 * a connection refused, reset, closed, or kept for the next request and found without its other end.
 */
export const CONNECTION_LOST =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_(REFUSED|RESET|CLOSED|ABORTED)|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONTENT_LENGTH_MISMATCH|ERR_EMPTY_RESPONSE|Failed to fetch|status of 503/;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Fails with what axe finds on the page once it has come to rest: a colour halfway between two states is neither of them, and what
 * is about to be replaced is dimmed. Run by the debugger, so the page's policy stays what it is.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const moving = () =>
      document.getAnimations().filter(({ playState, effect }) => {
        const end = effect?.getComputedTiming().endTime;
        return playState === "running" && end !== Number.POSITIVE_INFINITY;
      });
    for (let left = moving(); left.length > 0; left = moving()) {
      await Promise.allSettled(left.map(({ finished }) => finished));
    }
    const results = await (globalThis as unknown as { axe: typeof import("axe-core") }).axe.run(
      document,
      {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        // Of what passes it describes one element for each rule, not all.
        resultTypes: ["violations"],
      },
    );
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
  expect(violations, "axe-core").toEqual([]);
}

/** Fails when something fixed at the edge of the window, or a footer that stays in view, lies over the middle of it. */
export async function expectUncovered(target: Locator): Promise<void> {
  await expect
    .poll(() =>
      target.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!seen) return "out of view";
        const isItself = element.contains(seen) || seen.contains(element);
        return isItself ? "uncovered" : `below ${seen.outerHTML.slice(0, 120)}`;
      }),
    )
    .toBe("uncovered");
}

/** Fails when the page can be pushed sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, "pixels the page is wider than the window").toBeLessThanOrEqual(0);
}
