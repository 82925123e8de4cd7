// From a draft to a release that everybody sees, by the ways of a label: a private link before, a time to go out, and no
// reload of the visitor's page.
import type { Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { makePng } from "../png.ts";
import { expect, FAILED_RESOURCE, test } from "../test.ts";
import { addArtist, editRow, openDashboard } from "./dashboard.ts";

// What Chromium says of an address that answers 404, as that of a release taken back should.
test.use({ expectedMessages: FAILED_RESOURCE });

/** An instant in the format of its input, with seconds: waiting for a whole minute would take too long. */
function inSeconds(seconds: number): string {
  const at = new Date(Date.now() + seconds * 1_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

async function expectPicture(page: Page, name: string): Promise<void> {
  const picture = page.getByRole("img", { name });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

test("a release is prepared, shown by its private link, and goes out on an open page", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false, engine: "postgres" });
  const visitor = await openBrowser();
  await visitor.goto(`${site.url}/releases`);
  await expect(visitor.getByText("NO RELEASES FOUND")).toBeVisible();

  await openDashboard(page, site, "releases");
  await addArtist(page, site, "Kesto Vann");
  await page.getByRole("button", { name: "Add Release" }).click();
  const form = page.getByRole("dialog", { name: "Add New Release" });
  await form.getByLabel("Title", { exact: true }).fill("Lead-Out Ritual");
  await form.getByRole("combobox", { name: "Artist" }).fill("kesto");
  await page.getByRole("option", { name: "Kesto Vann" }).click();
  await form.getByLabel("Catalog").fill("404-001");
  await form.getByLabel("Release Date").fill("2031-02-03");
  await form.getByLabel("Format").fill('12" vinyl');
  await form.getByRole("button", { name: "Add Track" }).click();
  await form.getByLabel("Track 1 Name").fill("Needle Down");
  await form.getByRole("button", { name: "Add Track" }).click();
  await form.getByLabel("Track 2 Name").fill("Side Length");
  await form.getByLabel("Track 2 By").fill("Ava");
  await form.getByLabel("Track 2 Length").fill("1:02:10");
  await form.getByRole("button", { name: "Add Credit" }).click();
  await form.getByLabel("Credit 1 Role").fill("Mastering");
  await form.getByLabel("Credit 1 Name").fill("Ada");
  await form.getByLabel("Cover Image file").setInputFiles({
    name: "cover.png",
    mimeType: "image/png",
    buffer: makePng(800, 800),
  });
  await expectToast(page, "Cover image uploaded successfully");
  const cover = await form.getByLabel("Cover Image URL").inputValue();
  await form.getByRole("radio", { name: "Not yet" }).check();
  await form.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release created successfully");
  const row = page.getByRole("article", { name: "Lead-Out Ritual" });
  await expect(row).toContainText("Draft");

  let edit = await editRow(page, "Lead-Out Ritual");
  await edit.getByRole("button", { name: "Make Link" }).click();
  const link = await edit.getByLabel("Private link", { exact: true }).inputValue();
  const opened = page.waitForEvent("popup");
  await edit.getByRole("link", { name: "Preview" }).click();
  const preview = await opened;
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Lead-Out Ritual");
  await preview.close();

  const guest = await openBrowser();
  const shown = await guest.goto(link);
  expect(shown?.status()).toBe(200);
  const headers = (await shown?.allHeaders()) ?? {};
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
  expect(headers["x-robots-tag"]).toContain("noindex");
  await expect(guest.getByText("PRIVATE: THIS RELEASE IS NOT OUT YET")).toBeVisible();
  await expect(guest.getByRole("region", { name: "TRACKS" })).toContainText("Ava");
  await expect(guest.getByRole("region", { name: "TRACKS" })).toContainText("1:02:10");
  await expect(guest.getByRole("region", { name: "CREDITS" })).toContainText("Mastering");
  await expectPicture(guest, "Artwork of Lead-Out Ritual");
  expect((await guest.request.get(site.url + cover)).status()).toBe(404);
  expect((await guest.request.get(`${site.url}/releases/404-001`)).status()).toBe(404);

  await edit.getByRole("radio", { name: "On a date" }).check();
  await edit.getByLabel("Goes Out").fill(inSeconds(4));
  await edit.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release updated successfully");
  await expect(row).toContainText("Scheduled");
  await expect(visitor.getByText("NO RELEASES FOUND")).toBeVisible();
  const card = visitor.getByRole("article", { name: "Lead-Out Ritual" });
  await expect(card).toContainText("Kesto Vann");
  await expectPicture(visitor, "Artwork of Lead-Out Ritual");
  await expect(row).not.toContainText("Scheduled");
  await guest.goto(link);
  await expect(guest).toHaveURL(`${site.url}/releases/404-001`);
  await expectPicture(guest, "Artwork of Lead-Out Ritual");

  edit = await editRow(page, "Lead-Out Ritual");
  await edit.getByRole("button", { name: "Take Back" }).click();
  await edit.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release updated successfully");
  await expect(visitor.getByText("NO RELEASES FOUND")).toBeVisible();
  expect((await guest.request.get(`${site.url}/releases/404-001`)).status()).toBe(404);
  await expect(guest.getByText("Lead-Out Ritual")).toHaveCount(0);
});
