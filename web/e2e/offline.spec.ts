// The server goes away, or the line does, under open pages: what cannot be fetched is said in its place, and the rest stays.
import type { Page } from "@playwright/test";
import { expectToast } from "./accounts/person.ts";
import { openDashboard } from "./admin/dashboard.ts";
import { CONNECTION_LOST, expect, expectAccessible, test } from "./test.ts";

test.use({
  expectedMessages: new RegExp(
    `${CONNECTION_LOST.source}|ServerUnreachable|A page failed|A part of the page failed|could not be loaded|^Reading .* failed`,
  ),
});

const TRY = "An unexpected error occurred. Please try again.";
const UNREACHABLE = /^This page could not be fetched: nothing answers/;

/** Marks the document, to tell later whether it is still the same. */
const mark = (page: Page) =>
  page.evaluate(() => {
    (globalThis as unknown as { kept: boolean }).kept = true;
  });

const isSame = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { kept?: boolean }).kept === true);

/** Opens a page and waits until it is at rest, because the code that shows toasts loads only then. */
async function openAtRest(page: Page, url: string): Promise<void> {
  const toasts = page.waitForResponse(/ToastRegion.*\.js/);
  await page.goto(url);
  await (await toasts).finished();
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
}

test("a page not fetched yet says so in the frame, and comes once the server is back", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: true });
  await page.goto(`${site.url}/releases`);
  await expect(page.getByRole("article").first()).toBeVisible();
  await mark(page);
  await site.stop();
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "STORE" }).click();
  await expect(page.getByText(UNREACHABLE)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "ERROR" })).toBeFocused();
  await expect(main).toBeVisible();
  await expectAccessible(page);
  const tried = page.waitForRequest(/StorePage.*\.js/);
  await page.getByRole("button", { name: "Try again" }).click();
  await tried;
  await expect(page.getByText(UNREACHABLE)).toBeVisible();
  await site.start();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("COMING SOON")).toBeVisible();
  expect(await isSame(page)).toBe(true);
});

test("half a message is still there after a page that could not be fetched", async ({
  page,
  context,
}) => {
  await openAtRest(page, "/contact");
  await page.getByLabel("Message", { exact: true }).fill("Half of what I wanted to say");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByText(UNREACHABLE)).toBeVisible();
  await context.setOffline(false);
  await page.goBack();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(
    "Half of what I wanted to say",
  );
});

test("a message that nobody takes is said to have failed", async ({ page, context }) => {
  await openAtRest(page, "/contact");
  await page.getByLabel("Name", { exact: true }).fill("Mira Holm");
  await page.getByLabel("Email", { exact: true }).fill("mira@example.org");
  await page.getByLabel("Message", { exact: true }).fill("My copy never arrived.");
  await context.setOffline(true);
  await page.getByRole("button", { name: "SEND MESSAGE" }).click();
  await expectToast(page, "Error", "Failed to send message. Please try again.");
});

test("the terminal is at hand for whoever comes by the navigation, and says that nobody answers", async ({
  page,
  context,
}) => {
  await page.goto("/store");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "TERMINAL" })
    .click();
  await expect(page.getByLabel("COMMAND")).toBeFocused();
  await openAtRest(page, "/terminal");
  await expect(page.getByLabel("COMMAND")).toBeFocused();
  await context.setOffline(true);
  await page.keyboard.type("help");
  await page.keyboard.press("Enter");
  await expectToast(page, "ERROR: Connection to AI system failed. Please try again.");
});

test("a dialog that cannot be fetched leaves the page, and opens once the line is back", async ({
  page,
  context,
}) => {
  await page.goto("/store");
  await expect(page.getByText("COMING SOON")).toBeVisible();
  await mark(page);
  await context.setOffline(true);
  await page.getByRole("button", { name: "LOGIN" }).click();
  const failed = page.getByRole("dialog", { name: "ERROR" });
  await expect(failed.getByText(TRY)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(failed).toBeHidden();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("button", { name: "LOGIN" }).click();
  await expect(failed).toBeVisible();
  await context.setOffline(false);
  // By itself, once the server answers.
  await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  expect(await isSame(page)).toBe(true);
});

test("a tab of the dashboard that cannot be fetched leaves the others, and failures are heard", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: true });
  const atRest = page.waitForResponse(/ToastRegion.*\.js/);
  await openDashboard(page, site, "content");
  await (await atRest).finished();
  await mark(page);
  await site.stop();
  await page.getByRole("tab", { name: "Store" }).click();
  await expect(page.getByText("Failed to load data")).toBeVisible();
  await page.getByRole("tab", { name: "Content" }).click();
  const title = page.getByRole("form", { name: "HERO SUBTITLE" });
  await title.getByRole("textbox").fill("Changed while nobody listens");
  await title.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(
    page,
    "Failed to update content. The server did not answer. It may have been done: look before you try again.",
  );
  await site.start();
  await title.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Content updated successfully");
  await page.getByRole("tab", { name: "Media" }).click();
  await expect(page.getByRole("heading", { name: "Site Images" })).toBeVisible();
  expect(await isSame(page)).toBe(true);
});
