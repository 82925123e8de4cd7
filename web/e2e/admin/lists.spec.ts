// The dashboard's lists: sorted, narrowed, several rows chosen and moved together, and back; a release looked at before it is out.
import type { Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import type { Site } from "../site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { AT_ONCE, addArtist, openDashboard } from "./dashboard.ts";

const names = (page: Page) => page.getByRole("article").getByRole("heading", { level: 3 });

async function addRelease(page: Page, site: Site, data: object): Promise<void> {
  const answer = await page.request.post(`${site.url}/api/admin/releases`, {
    data: { release_date: "2031-02-03", ...data },
  });
  await expect(answer, await answer.text()).toBeOK();
}

test("a list is sorted and narrowed, and reloading and going back keep that", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  await addRelease(page, site, { title: "Beta", catalog: "404-001" });
  await addRelease(page, site, { title: "Alva", catalog: "404-003", publish: "not_yet" });
  await addRelease(page, site, { title: "Zoe", catalog: "404-002" });
  await expect(names(page)).toHaveText(["Zoe", "Alva", "Beta"]);
  await page.getByLabel("Sort Releases").selectOption({ label: "Title A to Z" });
  await expect(names(page)).toHaveText(["Alva", "Beta", "Zoe"]);
  await page.getByLabel("Show Releases").selectOption({ label: "Out" });
  await expect(names(page)).toHaveText(["Beta", "Zoe"]);
  await page.getByRole("searchbox", { name: "Search releases" }).fill("404-002");
  await expect(names(page)).toHaveText(["Zoe"]);
  await expect(page).toHaveURL(/sort=title&state=out|state=out&sort=title|q=/);
  await page.reload();
  await expect(names(page)).toHaveText(["Zoe"]);
  await expect(page.getByRole("searchbox", { name: "Search releases" })).toHaveValue("404-002");
  await page.getByRole("tab", { name: "Terminal" }).click();
  await expect(page).toHaveURL(/\?tab=terminal$/);
  await page.goBack();
  await expect(names(page)).toHaveText(["Zoe"]);
  await expect(page.getByLabel("Sort Releases")).toHaveValue("title");
  await page.getByRole("searchbox", { name: "Search releases" }).fill("");
  await page.getByLabel("Show Releases").selectOption({ label: "All" });
  await page.getByLabel("Sort Releases").selectOption({ label: "Newest first" });
  await expect(names(page)).toHaveText(["Zoe", "Alva", "Beta"]);
  await expect(page).toHaveURL(/\?tab=releases$/);
});

test("rows are chosen without a mouse, moved to the trash together, and brought back", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await openDashboard(page, site, "artists");
  for (const name of ["Ava", "Bo", "Cy", "Di"]) await addArtist(page, site, name);
  await expect(names(page)).toHaveText(["Di", "Cy", "Bo", "Ava"]);
  await visitor.goto(`${site.url}/artists`);
  await expect(visitor.getByText("Bo", { exact: true })).toBeVisible();

  await page.getByRole("checkbox", { name: "Choose Cy" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("1 chosen")).toBeVisible();
  await page.getByRole("checkbox", { name: "Choose Ava" }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 chosen")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Choose Bo" })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByText(/\d chosen/)).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Choose Bo" }).check();
  await page.getByRole("checkbox", { name: "Choose Di" }).check();
  // An artist who is added while others are chosen is not chosen.
  await addArtist(page, site, "Eva");
  await expect(names(page)).toHaveText(["Eva", "Di", "Cy", "Bo", "Ava"], AT_ONCE);
  await expect(page.getByText("2 chosen")).toBeVisible();
  await page.getByRole("button", { name: "MOVE 2 TO TRASH" }).focus();
  await page.keyboard.press("Enter");
  await expectToast(page, "Moved to the trash", "2 artists.");
  await expect(names(page)).toHaveText(["Eva", "Cy", "Ava"]);
  await expect(page.getByRole("heading", { name: "Artists (3)" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Trash (2)" })).toBeVisible(AT_ONCE);
  await expect(visitor.getByText("Bo", { exact: true })).toHaveCount(0, AT_ONCE);
  await page.getByRole("button", { name: "UNDO" }).click();
  await expectToast(page, "Restored");
  await expect(names(page)).toHaveText(["Eva", "Di", "Cy", "Bo", "Ava"]);
  await expect(visitor.getByText("Bo", { exact: true })).toBeVisible(AT_ONCE);
});

test("a release that is not out is looked at from its row, without a private link", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  await addRelease(page, site, { title: "Lead-Out Ritual", publish: "not_yet" });
  await addRelease(page, site, { title: "Barcode Hymn" });
  await expect(names(page)).toHaveText(["Barcode Hymn", "Lead-Out Ritual"]);
  await expect(page.getByRole("link", { name: /^Preview/ })).toHaveCount(1);
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Preview Lead-Out Ritual" }).click();
  const preview = await opened;
  await expect(preview).toHaveURL(/\/p\/[0-9a-f-]{36}$/);
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Lead-Out Ritual");
  await preview.close();
});

for (const width of [360, 1440]) {
  test(`lists with chosen rows are accessible and fit at ${width} px`, async ({
    page,
    startSite,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const site = await startSite({ sample: false });
    await openDashboard(page, site, "releases");
    await addRelease(page, site, {
      title: "A-Title-That-Has-No-End-And-No-Space-To-Break-It-Anywhere-At-All",
      publish: "not_yet",
    });
    await expect(names(page)).toHaveCount(1);
    await page.getByLabel(/^Choose all loaded/).check();
    await page.getByLabel("Sort Releases").selectOption({ label: "Release date, newest" });
    await page.getByLabel(/^Choose all loaded/).check();
    await expect(page.getByRole("button", { name: "MOVE 1 TO TRASH" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
}
