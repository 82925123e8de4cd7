import { expect, type Page } from "@playwright/test";
import { answerPlayers, expectUncovered, test } from "./test.ts";

/** Tabs until the focused element has this name; every stop on the way must show where the focus is. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  // A key pressed before the app is there reaches nothing.
  await expect(page.getByRole("main")).toBeVisible();
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    await expect(focused).toBeVisible();
    await expectUncovered(focused);
    const marked = await focused.evaluate((element) => {
      const style = getComputedStyle(element);
      return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
    });
    expect(
      marked,
      `focus is visible on ${await focused.evaluate((element) => element.outerHTML.slice(0, 120))}`,
    ).toBe(true);
    const label = await focused.evaluate(
      (element) => element.getAttribute("aria-label") ?? element.textContent ?? "",
    );
    if (name.test(label.trim())) return;
  }
  throw new Error(`no stop named ${name} within 60`);
}

test("a visitor without a mouse walks from home to a playing release and on to its artist", async ({
  page,
  context,
}) => {
  await answerPlayers(context);
  await page.goto("/");
  await tabTo(page, /^RELEASES$/i);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/releases");
  await expect(page.getByRole("button", { name: "PLAY" }).first()).toBeVisible();
  await tabTo(page, /PLAY/);
  await page.keyboard.press("Enter");
  await expect(page.locator("iframe")).toHaveCount(1);
  await page.keyboard.press("Space");
  await expect(page.locator("iframe")).toHaveCount(0);
});

test("the first stop of a page skips the navigation", async ({ page }) => {
  await page.goto("/releases");
  await expect(page.getByRole("main")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
});

test("the mobile menu opens, holds the focus, leads on and closes by keyboard", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  await tabTo(page, /menu/i);
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog");
  await expect(menu.getByRole("link", { name: "ARTISTS" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(page.locator(":focus")).toHaveAccessibleName(/menu/i);
  await page.keyboard.press("Enter");
  await tabTo(page, /^ARTISTS$/i);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/artists");
  await expect(menu).toBeHidden();
});

test("focus and scroll wait for the new page, however long its code takes, and its name is said", async ({
  page,
}) => {
  await page.goto("/releases");
  await expect(page.getByRole("article").first()).toBeVisible();
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  const link = page.getByRole("contentinfo").getByRole("link", { name: "STORE" });
  await link.focus();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/store$/);
  await expect(page.getByRole("article").first()).toBeAttached();
  await expect(link).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  arrive();
  await expect(page.getByRole("heading", { name: "COMING SOON" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "COMING SOON" })).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
