// Pages with letters of twice the size: no text is cut off, and none lies over another.
import type { Locator, Page } from "@playwright/test";
import { register, section, signIn } from "./accounts/person.ts";
import { openDashboard } from "./admin/dashboard.ts";
import { Authenticator } from "./authenticator.ts";
import { MEMBERS_ROUTES, PUBLIC_ROUTES, TABS } from "./routes.ts";
import { expect, expectNoSidewaysScroll, REFUSED, test } from "./test.ts";

/** Texts that are cut off, or lie over each other. */
function lostTexts(): string[] {
  const lost: string[] = [];
  const seen: { text: string; element: Element; box: DOMRect }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const hidden = "script, style, noscript, svg, option, .sr-only, [aria-hidden=true]";
  /** Whether the element, or one around it, shows nothing to the eye or hangs over the page. */
  const isAside = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      if (getComputedStyle(at).position === "fixed" || at.clientWidth === 1) return true;
    }
    return !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? "").trim();
    if (!text || !element || element.closest(hidden) || isAside(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      let around: Element | null = element;
      while (around && getComputedStyle(around).overflowX === "visible")
        around = around.parentElement;
      const style = around && getComputedStyle(around);
      const frame = around?.getBoundingClientRect();
      const isBeside = frame && (box.left < frame.left - 2 || box.right > frame.right + 2);
      // A box is higher than its letters.
      const room = box.height / 4;
      const isBeyond = frame && (box.top < frame.top - room || box.bottom > frame.bottom + room);
      // Text that is scrolled out of view can be scrolled back.
      if (isBeyond && /auto|scroll/.test(style?.overflowY ?? "")) continue;
      // Dots say that there is more.
      if (isBeside && style?.textOverflow === "ellipsis") continue;
      if (isBeyond && style?.webkitLineClamp !== "none") continue;
      const isCut = (overflow = "") => /hidden|clip/.test(overflow);
      if ((isBeside && isCut(style?.overflowX)) || (isBeyond && isCut(style?.overflowY)))
        lost.push(`cut: ${text}`);
      seen.push({ text, element, box });
    }
  }
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      if (one.element === other.element) continue;
      const width =
        Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height =
        Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      // Lines stand closer than their letters are high.
      if (width > 3 && height > Math.min(one.box.height, other.box.height) / 2)
        lost.push(`over each other: ${one.text} / ${other.text}`);
    }
  }
  return [...new Set(lost)];
}

async function enlarge(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.fontSize = "200%";
    });
  });
}

async function expectWhole(page: Page, name: string): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expectNoSidewaysScroll(page);
  expect.soft(await page.evaluate(lostTexts), name).toEqual([]);
}

for (const width of [360, 1440]) {
  test(`letters of twice the size lose no word at ${width} px`, async ({ page, site }) => {
    await enlarge(page, width);
    for (const { path } of PUBLIC_ROUTES) {
      await page.goto(path);
      await expectWhole(page, path);
    }
    await openDashboard(page, site, "content");
    for (const tab of TABS) {
      await page.goto(`/admin?tab=${tab}`);
      await expectWhole(page, tab);
    }
    for (const { path } of MEMBERS_ROUTES) {
      await page.goto(path);
      await expectWhole(page, path);
    }
  });

  test(`letters of twice the size lose no word of a profile at ${width} px`, async ({
    page,
    site,
  }) => {
    await enlarge(page, width);
    await signIn(page, await register(site));
    await page.goto("/profile");
    await expect(page.getByRole("button", { name: "Delete Account" })).toBeVisible();
    await expectWhole(page, "profile");
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expectWhole(page, "question");
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();

    const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
    await factor.getByRole("button", { name: "Enable MFA" }).click();
    await expect(factor.getByRole("img", { name: /QR code/ })).toBeVisible();
    await expectWhole(page, "second factor");
    const key = await factor.locator("code").innerText();
    site.keepSecret(key, key.replaceAll(" ", ""));
    await factor.getByLabel("6-digit code").fill(await new Authenticator(key).next());
    await factor.getByRole("button", { name: "Verify and enable" }).click();
    const codes = factor.getByRole("listitem");
    await expect(codes).toHaveCount(10);
    site.keepSecret(...(await codes.allInnerTexts()));
    await expectWhole(page, "recovery codes");
  });
}

test("letters of twice the size have room beside a portrait, a file and a button", async ({
  page,
  site: _,
}) => {
  await enlarge(page, 360);
  const widthOf = async (text: Locator) => (await text.boundingBox())?.width;
  await page.goto("/artists");
  const bio = page.getByRole("main").getByRole("listitem").first().locator("p").first();
  expect(await widthOf(bio)).toBeGreaterThan(180);

  await page.goto("/artists?dialog=demo");
  const file = page.getByRole("button", { name: /^Demo file/ });
  expect(await widthOf(file.getByText("Choose a file or drop it here"))).toBeGreaterThan(180);
  const mp3 = { name: "a mix.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("ID3") };
  await page.locator("input[type=file]").setInputFiles(mp3);
  expect(await widthOf(file.getByText("a mix.mp3"))).toBeGreaterThan(180);

  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto("/?dialog=login");
  const tab = page.getByRole("tab", { name: "LOGIN" });
  await expect(tab).toBeVisible();
  expect(await tab.evaluate(linesOf)).toBe(1);
  await page.goto("/signup");
  expect(await page.getByText("Password", { exact: true }).evaluate(linesOf)).toBe(1);
});

test.describe("a toast", () => {
  // Before the rules are loaded, the server refuses the address.
  test.use({ expectedMessages: REFUSED });

  test("has room for letters of twice the size", async ({ page, site: _ }) => {
    await enlarge(page, 360);
    await page.goto("/");
    const address = page.getByRole("textbox", { name: "Email" });
    await address.fill("bad@");
    await address.press("Enter");
    const toasts = page.locator("[data-toasts]");
    const text = toasts.getByText(/transmission/i).first();
    await expect(text).toBeVisible();
    expect((await text.boundingBox())?.width).toBeGreaterThan(200);
  });
});

/** The number of lines of an element's last text. */
function linesOf(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element.lastChild ?? element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}
