// Makes two pictures of a screen identical: a fixed clock in the page and in the server's responses, no motion, and
// everything loaded.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, type Route } from "@playwright/test";

/** The time of every picture. */
export const NOW = Date.UTC(2026, 9, 3, 21, 4);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const album = fileURLToPath(new URL("../../docs/screens/", import.meta.url));

/** Initial height of every screen. */
export const SCREEN_HEIGHT = 800;
/** Maximum height: the beginning represents a long list. */
const MOST_HEIGHT = 2_400;
/** Margin around a dialog. */
const AROUND = 32;
/** Fine type stays readable, and all pictures together take a few megabytes. */
const QUALITY = 55;

/** Prepares a browser for pictures. Artwork of rows without a picture depends on their ids, so `ids` are replaced. */
export async function still(context: BrowserContext, ids: readonly string[]): Promise<void> {
  await context.clock.setFixedTime(NOW);
  // Players of other companies are left out.
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

/** Passes a call on, and replaces times and ids in its response. */
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

/** Past instants become now; future ones keep their distance in whole hours. */
function then(instant: number, today: number): number {
  const distance = instant - today;
  if (distance < -DAY) return instant;
  return NOW + Math.max(0, Math.ceil(distance / HOUR)) * HOUR;
}

/** Takes the picture of a page, or of the whole dialog over it. */
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
    // The clip is relative to the top of the page, a dialog to the scroll position.
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

/** The area of the screen, or of the newest dialog with a margin if the screen was too small for it. */
async function dialogPlace(page: Page) {
  const height = page.viewportSize()?.height ?? 0;
  if (height === SCREEN_HEIGHT) return { top: 0, height };
  const box = await page.locator("[role=dialog]").last().boundingBox();
  if (!box) return { top: 0, height };
  const top = Math.max(0, Math.floor(box.y) - AROUND);
  return { top, height: Math.min(height - top, Math.ceil(box.height) + 2 * AROUND) };
}

/** Enlarges the window until nothing in or around a dialog needs scrolling. */
async function makeRoom(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // Some of the added height goes to the space around the dialog, so this repeats while it helps.
  let hidden = Number.POSITIVE_INFINITY;
  for (let room = height; ; ) {
    const before = hidden;
    hidden = await hiddenHeight(page);
    if (hidden <= 0 || hidden >= before) return;
    room += hidden;
    await page.setViewportSize({ width, height: room });
  }
}

/** The hidden height of the part of a dialog that hides most. */
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

/** Waits until all is loaded and nothing moves; hides the caret and random text. */
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
        // The checklist's figures about this machine.
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
    // Long lists render their rows once they know their position.
    for (let left = 6; left > 0; left -= 1) await frame();
  });
}
