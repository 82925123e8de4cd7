// What keeps two pictures of the same screen alike: a clock that stands still in the page and in what the server answers,
// nothing that moves, and everything there before it is taken.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";

/** When every picture is taken. */
export const NOW = Date.UTC(2026, 9, 3, 21, 4);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const album = fileURLToPath(new URL("../../docs/screens/", import.meta.url));

/** How high every screen is at first. */
export const SCREEN_HEIGHT = 800;
/** A long list is known by its beginning. */
const MOST_HEIGHT = 2_400;
/** What is seen around a dialog. */
const AROUND = 32;
/** Fine type stays readable, and all pictures together stay a few megabytes. */
const QUALITY = 55;

/** Makes this browser one that pictures can be taken of. Rows without a picture are drawn by their ids: `ids` get others. */
export async function still(context: BrowserContext, ids: readonly string[]): Promise<void> {
  await context.clock.setFixedTime(NOW);
  // The players of others are not ours to show.
  await context.route(
    (url) => url.hostname !== "127.0.0.1" && url.protocol.startsWith("http"),
    (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><body bgcolor=#2b2a28>" }),
  );
  await context.route(
    ({ hostname, pathname }) =>
      hostname === "127.0.0.1" && !/^\/(api\/events|assets|media)/.test(pathname),
    (route) => translate(route, ids),
  );
}

const standIn = (place: number) => `00000000-0000-7000-8000-${String(place).padStart(12, "0")}`;

/** Passes a call on, and its answer back with the times of the page's clock and the ids of every run. */
async function translate(route: Route, ids: readonly string[]): Promise<void> {
  const asked = (text: string) =>
    text.replace(
      /00000000-0000-7000-8000-(\d{12})/g,
      (found, place) => ids[Number(place)] ?? found,
    );
  const call = route.request();
  const data = call.postData();
  const answer = await route.fetch({
    url: asked(call.url()),
    maxRedirects: 0,
    ...(data === null ? {} : { postData: asked(data) }),
  });
  if (!/json|html/.test(answer.headers()["content-type"] ?? "")) {
    return route.fulfill({ response: answer });
  }
  const today = Date.now();
  const body = (await answer.text())
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) =>
      ids.includes(id) ? standIn(ids.indexOf(id)) : id,
    )
    .replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, instant) =>
      JSON.stringify(new Date(then(Date.parse(instant), today)).toISOString()),
    );
  return route.fulfill({ response: answer, body });
}

/** What was made for the pictures was made now; what is to come stays as far away, in whole hours. */
function then(instant: number, today: number): number {
  const distance = instant - today;
  if (distance < -DAY) return instant;
  return NOW + Math.max(0, Math.ceil(distance / HOUR)) * HOUR;
}

/** Takes the picture of a page, or of the dialog over it from its top to its end. */
export async function take(page: Page, name: string, isDialog: boolean): Promise<void> {
  await settle(page);
  if (isDialog) await makeRoom(page);
  else await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const { top, height } = isDialog ? await dialogPlace(page) : await pagePlace(page);
  const camera = await page.context().newCDPSession(page);
  const { data } = await camera.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
    captureBeyondViewport: !isDialog,
    // The camera counts from the top of the page, a dialog from where the page is scrolled to.
    clip: {
      x: 0,
      y: top + (await page.evaluate(() => scrollY)),
      width: size.width,
      height,
      scale: 1,
    },
  });
  mkdirSync(album, { recursive: true });
  writeFileSync(`${album}${name}-${size.width}.webp`, Buffer.from(data, "base64"));
}

async function pagePlace(page: Page) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = page.viewportSize()?.height ?? 0;
  return { top: 0, height: Math.max(height, Math.min(whole, MOST_HEIGHT)) };
}

/** The screen; where that was too small for it, the newest dialog with a little around it. */
async function dialogPlace(page: Page) {
  const height = page.viewportSize()?.height ?? 0;
  if (height === SCREEN_HEIGHT) return { top: 0, height };
  const box = await page.locator("[role=dialog]").last().boundingBox();
  if (!box) return { top: 0, height };
  const top = Math.max(0, Math.floor(box.y) - AROUND);
  return { top, height: Math.min(height - top, Math.ceil(box.height) + 2 * AROUND) };
}

/** A window so high that nothing in or around a dialog has to be scrolled. */
async function makeRoom(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // Some of what is added is shared out around the dialog: once more, as long as it helps.
  let hidden = Number.POSITIVE_INFINITY;
  for (let room = height; ; ) {
    const before = hidden;
    hidden = await hiddenHeight(page);
    if (hidden <= 0 || hidden >= before) return;
    room += hidden;
    await page.setViewportSize({ width, height: room });
  }
}

/** How much the part of a dialog that hides most of itself does. */
function hiddenHeight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const parts = [];
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      parts.push(...dialog.querySelectorAll("*"));
      for (
        let part: Element | null = dialog;
        part && part !== document.body;
        part = part.parentElement
      ) {
        parts.push(part);
      }
    }
    const boxes = parts.filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY));
    return Math.max(0, ...boxes.map((box) => box.scrollHeight - box.clientHeight));
  });
}

/** Waits until all is there and nothing moves; puts out the caret, and chance in what is written. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { caret-color: transparent !important }");
    document.adoptedStyleSheets = [sheet];
    // Names of stored files, and ids in addresses.
    const masked = (text: string) =>
      text
        .replace(/\d{13}(_[0-9a-f]{8}|-[0-9a-z]+)?/g, "1790000000000")
        // What the checklist says of this machine.
        .replace(/[\d.]+ \w+ of this machine/, "50 GB of this machine")
        .replace(/127\.0\.0\.1:\d+/, "127.0.0.1:8080")
        // The token of a private link.
        .replace(/\/p\/[\w-]{20,}/, "/p/3wPr1v4t3L1nkThatOpensNothing")
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}/g, "00000000-0000-7000-8000-000000000000");
    for (const field of document.querySelectorAll("input")) {
      if (masked(field.value) !== field.value) field.value = masked(field.value);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const words = text.nodeValue ?? "";
      if (masked(words) !== words) text.nodeValue = masked(words);
    }
    for (const picture of document.images) picture.loading = "eager";
    await document.fonts.ready;
    await Promise.all(
      [...document.images].map((picture) => picture.decode().catch(() => undefined)),
    );
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    );
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    // Long lists draw their rows once they know where they stand.
    for (let left = 6; left > 0; left -= 1) await frame();
  });
}
