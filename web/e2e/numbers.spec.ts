// Visits: what the browser sends of them, and what admins see. When it sends nothing is tested in src/app/visits.test.tsx.
import type { BrowserContext, Page } from "@playwright/test";
import { openDashboard } from "./admin/dashboard.ts";
import { answerPlayers, expect, expectAccessible, expectNoSidewaysScroll, test } from "./test.ts";

// The browser of the journeys calls itself headless, which the server leaves out as a robot.
test.use({
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
});

/** Longer than a place must be in sight. */
const LONG_ENOUGH_MS = 1_500;

/** Collects the messages of a browser that does not call itself automated. */
async function follow(context: BrowserContext): Promise<unknown[]> {
  const sent: unknown[] = [];
  await context.exposeFunction("noteSeen", (text: string) => sent.push(JSON.parse(text)));
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false });
    // The debugger does not show the body of a beacon.
    const sendBeacon = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      const { noteSeen } = globalThis as unknown as { noteSeen: (text: string) => void };
      void (body as Blob).text().then(noteSeen);
      return sendBeacon(url, body);
    };
  });
  return sent;
}

/** A view is sent after a second. Playwright would look again after almost two. */
const pollOften = (read: () => unknown) => expect.poll(read, { intervals: [100] });

const view = (path: string, source: object = {}) => ({ event: "view", path, ...source });

/** Collects the answers of the server. */
function answersTo(page: Page): number[] {
  const answers: number[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/api/seen") answers.push(response.status());
  });
  return answers;
}

test("loads, reloads, navigations and tabs are views, and returns within ten seconds are not", async ({
  page,
  context,
}) => {
  const sent = await follow(context);
  const answers = answersTo(page);
  await page.goto("/store?from=news", { referer: "https://forum.example/thread" });
  await expect(page).toHaveURL("/store");
  const first = view("/store", { from: "news", referrer: "forum.example" });
  await pollOften(() => sent).toEqual([first]);
  // An answer that comes after the reload is not seen.
  await pollOften(() => answers).toEqual([204]);
  await page.reload();
  await pollOften(() => sent.length).toBe(2);
  expect(sent[1]).toMatchObject(view("/store"));
  expect(sent[1]).not.toHaveProperty("from");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "RELEASES" })
    .click();
  await pollOften(() => sent[2]).toEqual(view("/releases"));
  await page.goBack();
  await expect(page.getByRole("heading", { name: "COMING SOON" })).toBeVisible();
  await page.waitForTimeout(LONG_ENOUGH_MS);
  await page.goForward();
  await page.waitForTimeout(LONG_ENOUGH_MS);
  const tab = await context.newPage();
  await tab.goto("/releases");
  await expect.poll(() => sent.slice(3)).toEqual([view("/releases")]);
  await expect.poll(() => answers).toEqual([204, 204, 204]);
});

test("a play, a share, a platform button, a search without results and the demo dialog are sent", async ({
  page,
  context,
}) => {
  await answerPlayers(context);
  const sent = await follow(context);
  await page.clock.install();
  await page.goto("/releases");
  await pollOften(() => sent).toEqual([view("/releases")]);
  const play = page.getByRole("button", { name: "PLAY" }).first();
  const titleId = (await play.getAttribute("aria-describedby")) ?? "";
  const id = titleId.replace("release-", "");
  await play.click();
  await page.clock.fastForward(10_000);
  await pollOften(() => sent[1]).toEqual({ event: "play", release: id });
  await page.locator(`[id="${titleId}"]`).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "SHARE" }).click();
  const opened = context.waitForEvent("page");
  await page
    .getByRole("article")
    .getByRole("link", { name: /^(SPOTIFY|SOUNDCLOUD)$/ })
    .first()
    .click();
  await (await opened).close();
  await pollOften(() => sent.slice(2)).toEqual(
    expect.arrayContaining([
      { event: "share", release: id },
      expect.objectContaining({ event: "button", release: id }),
    ]),
  );
  await page.goto("/releases?q=nothing+is+called+so");
  await pollOften(() => sent).toContainEqual({ event: "search" });
  await page.goto("/artists?dialog=demo");
  await pollOften(() => sent).toContainEqual({ event: "demo" });
});

test("an admin sees the views of a visitor within half a minute", async ({
  page,
  openBrowser,
  startSite,
}) => {
  const site = await startSite({ sample: true });
  const visitor = await openBrowser();
  await follow(visitor.context());
  const answers = answersTo(visitor);
  for (const path of ["/", "/artists", "/artists?dialog=demo"]) {
    await visitor.goto(`${site.url}${path}`, { referer: "https://forum.example/" });
    await visitor.waitForTimeout(LONG_ENOUGH_MS);
  }
  await expect.poll(() => answers).toEqual([204, 204, 204, 204]);
  await visitor.close();
  await openDashboard(page, site, "analytics");
  const visits = page.getByRole("region", { name: "Visits" });
  await expect(async () => {
    await page.reload();
    await expect(visits.getByRole("rowheader", { name: "Artists" })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 30_000 });
  await expect(visits.getByText("One day so far: 3 views by 1 visitor.")).toBeVisible();
  await expect(visits.getByRole("row", { name: "forum.example 3" })).toBeVisible();
  await expect(visits.getByText("Demo dialog opened").locator("xpath=..")).toContainText("1");
  await expectAccessible(page);
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
});
