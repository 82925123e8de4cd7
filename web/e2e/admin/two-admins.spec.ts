import type { Locator, Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import type { Site } from "../site.ts";
import { expect, test } from "../test.ts";
import { AT_ONCE, editRow, openDashboard } from "./dashboard.ts";

// Chromium reports a save that was refused because another admin saved first, or because the row is gone.
test.use({ expectedMessages: /status of (412|404) / });

const NAME = "Kesto Vann";
const PATH = "/api/admin/artists";
const UPDATED = "Artist updated successfully";

/** The row as the server has it. */
async function stored(page: Page, site: Site) {
  const answer = await page.request.get(`${site.url}${PATH}?limit=1`);
  return (await answer.json()).items[0];
}

/**
 * From now on every read of the tab that was answered before is answered like that again, as if the news were still on
 * its way; the returned function lets the news through.
 */
async function keepBehind(page: Page, site: Site): Promise<() => void> {
  let isBehind = true;
  const list = await (await page.request.get(`${site.url}${PATH}?limit=50`)).json();
  await page.route(`**${PATH}**`, (route) => {
    const isRead = route.request().method() === "GET";
    if (!isBehind || !isRead) return route.fallback();
    const isList = new URL(route.request().url()).search !== "";
    return route.fulfill({ json: isList ? list : list.items[0] });
  });
  return () => {
    isBehind = false;
  };
}

async function open(page: Page, site: Site) {
  await openDashboard(page, site, "artists");
  const answer = await page.request.post(`${site.url}${PATH}`, {
    data: { name: NAME, bio: "As it was." },
  });
  await expect(answer, await answer.text()).toBeOK();
  await expect(page.getByRole("article", { name: NAME })).toBeVisible(AT_ONCE);
}

/** Saves the other admin's change to the row, in a separate browser. */
async function saveTheirs(other: Page): Promise<void> {
  const dialog = await editRow(other, NAME);
  await dialog.getByRole("textbox", { name: "Bio" }).fill("Written by the other.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(other, UPDATED);
}

const newestIn = (dialog: Locator) => dialog.getByRole("region", { name: "Newest version" });

test("an editor over an old row, which knows of nothing newer, is refused by the save and keeps what was typed", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await open(page, site);
  const other = await openBrowser();
  await openDashboard(other, site, "artists");
  const catchUp = await keepBehind(page, site);
  const before = (await stored(page, site)).version;
  await saveTheirs(other);
  const theirs = await stored(page, site);
  expect(theirs.version).toBeGreaterThan(before);

  const mine = await editRow(page, NAME);
  const box = mine.getByRole("textbox", { name: "Bio" });
  await expect(box).toHaveValue("As it was.");
  await box.fill("Typed by me.");
  await expect(newestIn(mine)).toHaveCount(0);
  catchUp();
  const put = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await mine.getByRole("button", { name: "Save", exact: true }).click();
  const refused = await put;
  expect(refused.status()).toBe(412);
  expect(refused.request().headers()["if-match"]).toBe(`"${before}"`);
  await expect(newestIn(mine)).toContainText("Written by the other.");
  await expect(box).toHaveValue("Typed by me.");
  expect(await stored(page, site)).toEqual(theirs);

  await newestIn(mine).getByRole("button", { name: "Save Mine Over It" }).click();
  await expectToast(page, UPDATED);
  expect((await stored(page, site)).bio).toBe("Typed by me.");
});

test("an open editor shows the other's save at once, and saves nothing over it by itself", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await open(page, site);
  const other = await openBrowser();
  await openDashboard(other, site, "artists");
  const mine = await editRow(page, NAME);
  const box = mine.getByRole("textbox", { name: "Bio" });
  await box.fill("Typed by me.");
  await saveTheirs(other);
  await expect(newestIn(mine)).toContainText("Written by the other.", AT_ONCE);
  await expect(box).toHaveValue("Typed by me.");
  // Saved without a look at the notice, it is still an edit of what was opened.
  const put = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await mine.getByRole("button", { name: "Save", exact: true }).click();
  expect((await put).status()).toBe(412);
  await expect(newestIn(mine)).toBeVisible();
  expect((await stored(page, site)).bio).toBe("Written by the other.");
  await newestIn(mine).getByRole("button", { name: "Load Newest Version" }).click();
  await expect(box).toHaveValue("Written by the other.");
  await expect(newestIn(mine)).toHaveCount(0);
});

test("an editor opened on a row that is no longer new shows what it became", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await open(page, site);
  const other = await openBrowser();
  await openDashboard(other, site, "artists");
  const catchUp = await keepBehind(page, site);
  await saveTheirs(other);
  // The list is behind; the row itself is read when it is opened.
  await page.route(new RegExp(`${PATH}/`), (route) => route.continue());
  const mine = await editRow(page, NAME);
  await expect(newestIn(mine)).toContainText("Written by the other.");
  catchUp();
});

test("what was typed into a row that somebody deletes meanwhile stays to be copied", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await open(page, site);
  const other = await openBrowser();
  await openDashboard(other, site, "artists");
  const mine = await editRow(page, NAME);
  const box = mine.getByRole("textbox", { name: "Bio" });
  await box.fill("Typed by me.");
  await other.getByRole("button", { name: `Delete ${NAME}` }).click();
  await expectToast(other, "Artist deleted successfully");
  await mine.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Failed to update artist");
  await expect(box).toHaveValue("Typed by me.");
});

test("a text that another admin saved first is not overwritten, and what was typed stays", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "content");
  const other = await openBrowser();
  await openDashboard(other, site, "content");
  const card = (of: Page) => of.getByRole("form", { name: "HERO MAIN TITLE" });
  const old = await (await page.request.get(`${site.url}/api/admin/content`)).json();
  let isBehind = true;
  await page.route("**/api/admin/content", (route) =>
    isBehind ? route.fulfill({ json: old }) : route.fallback(),
  );
  await card(other).getByRole("textbox").fill("THEIRS");
  await card(other).getByRole("button", { name: "Save Changes" }).click();
  await expectToast(other, "Content updated successfully");

  await card(page).getByRole("textbox").fill("MINE");
  // Until it is saved, not before: a late reading of the list would tell of the other one's text first.
  page.on("request", (request) => {
    if (request.method() === "PUT") isBehind = false;
  });
  const put = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await card(page).getByRole("button", { name: "Save Changes" }).click();
  expect((await put).status()).toBe(412);
  await expect(card(page).getByRole("region", { name: /Newest version/ })).toContainText("THEIRS");
  await expect(card(page).getByRole("textbox")).toHaveValue("MINE");
  await card(page).getByRole("button", { name: "Save Mine Over It" }).click();
  await expectToast(page, "Content updated successfully");
});
