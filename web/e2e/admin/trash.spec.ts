import { expectToast } from "../accounts/person.ts";
import { expect, FAILED_RESOURCE, test } from "../test.ts";
import { AT_ONCE, addArtist, editRow, openDashboard } from "./dashboard.ts";

test("what is deleted comes back by UNDO and from the trash, and an older version is restored", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await visitor.goto(`${site.url}/artists`);
  await openDashboard(page, site, "artists");
  await addArtist(page, site, "Vesna");
  const seen = visitor.getByRole("link", { name: "Vesna" });
  await expect(seen).toBeVisible(AT_ONCE);

  await page.getByRole("button", { name: "Delete Vesna" }).click();
  await expectToast(page, "Artist deleted successfully");
  await expect(seen).toHaveCount(0, AT_ONCE);
  await page.getByRole("button", { name: "UNDO" }).click();
  await expect(page.getByRole("article", { name: "Vesna" })).toBeVisible();
  await expect(seen).toBeVisible(AT_ONCE);

  await page.getByRole("button", { name: "Delete Vesna" }).click();
  await page.getByRole("button", { name: "Trash (1) of Artists" }).click();
  const trash = page.getByRole("dialog", { name: "Trash: Artists" });
  await trash.getByRole("button", { name: "Restore Vesna" }).click();
  await expect(trash.getByText("The trash is empty")).toBeVisible();
  await trash.getByRole("button", { name: "CLOSE" }).click();
  await expect(seen).toBeVisible(AT_ONCE);

  const edit = await editRow(page, "Vesna");
  await edit.getByLabel("Name").fill("Vesna K.");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(visitor.getByRole("link", { name: "Vesna K." })).toBeVisible(AT_ONCE);
  await editRow(page, "Vesna K.");
  await page.getByRole("button", { name: "History of Vesna K." }).click();
  const history = page.getByRole("dialog", { name: "History: Vesna K." });
  await history.getByRole("button", { name: /^Restore this version: 1 of/ }).click();
  await expectToast(page, "Version restored successfully");
  await expect(visitor.getByRole("link", { name: "Vesna", exact: true })).toBeVisible(AT_ONCE);
  await page
    .getByRole("dialog", { name: "Edit Artist" })
    .getByRole("button", { name: "Cancel" })
    .click();

  await page.getByRole("button", { name: "Delete Vesna" }).click();
  await page.getByRole("button", { name: "Trash (1) of Artists" }).click();
  await trash.getByRole("button", { name: "Delete for good: Vesna" }).click();
  await page.getByRole("button", { name: "Yes, Delete For Good" }).click();
  await expectToast(page, "Deleted for good");
  await expect(trash.getByText("The trash is empty")).toBeVisible();
});

test.describe("what belongs to what is deleted", () => {
  // Chromium reports that the page and its picture answer 404, as they should while the release is deleted.
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("a release goes with its page and comes back with it, and its artist is nobody meanwhile", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: false });
    await openDashboard(page, site, "releases");
    await addArtist(page, site, "Vesna");
    const { items } = await (await page.request.get(`${site.url}/api/admin/artists`)).json();
    for (const [title, artist_id] of [
      ["Quartz", items[0].id],
      ["Run-Out", null],
    ]) {
      const data = { title, artist_id, release_date: "2031-02-03" };
      const answer = await page.request.post(`${site.url}/api/admin/releases`, { data });
      await expect(answer, await answer.text()).toBeOK();
    }
    const address = `${site.url}/releases/quartz`;
    const status = async () => (await page.request.get(address)).status();
    const visitor = await openBrowser();
    await visitor.goto(address);
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Quartz");
    const reader = await openBrowser();
    await reader.goto(`${site.url}/releases`);
    const card = reader.getByRole("article", { name: "Quartz" });
    await expect(card.getByRole("link", { name: "Vesna" })).toBeVisible();

    await page.getByRole("button", { name: "Delete Quartz" }).click();
    await expectToast(page, "Release deleted successfully");
    await expect(card).toHaveCount(0, AT_ONCE);
    await expect(visitor.getByText("Quartz")).toHaveCount(0);
    expect(await status()).toBe(404);
    await page.getByRole("button", { name: "UNDO" }).click();
    await expect(card).toBeVisible(AT_ONCE);
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Quartz");
    expect(await status()).toBe(200);

    await page.getByRole("tab", { name: "Artists" }).click();
    await page.getByRole("button", { name: "Delete Vesna" }).click();
    await expect(card).toContainText("Unknown Artist", AT_ONCE);
    await expect(card.getByRole("link", { name: "Vesna" })).toHaveCount(0);
    await expect(visitor.getByText("Unknown Artist")).toBeVisible();
    await page.getByRole("button", { name: "Trash (1) of Artists" }).click();
    await page.getByRole("button", { name: "Restore Vesna" }).click();
    await expect(card.getByRole("link", { name: "Vesna" })).toBeVisible(AT_ONCE);
    await expect(visitor.getByRole("link", { name: "Vesna" })).toBeVisible();
  });
});
