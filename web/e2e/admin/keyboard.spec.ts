import type { Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { makePng } from "../png.ts";
import { expect, expectUncovered, test } from "../test.ts";
import { addArtist, openDashboard } from "./dashboard.ts";

/** Tabs until what has the focus has this name; every stop on the way must be seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 80; stops += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    // The calendar that a field of dates brings along is a stop within it, and no element of the page.
    if (await page.evaluate(() => document.activeElement?.matches("[type=date]:not(:focus)"))) {
      continue;
    }
    await expect(focused).toBeVisible();
    await expectUncovered(focused);
    const { label, isMarked } = await focused.evaluate((element) => {
      const style = getComputedStyle(element);
      const labels =
        "labels" in element ? (element.labels as NodeListOf<HTMLElement> | null) : null;
      return {
        label: element.ariaLabel ?? labels?.[0]?.innerText ?? element.textContent ?? "",
        isMarked: style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2,
      };
    });
    expect(isMarked, `focus is visible on ${label}`).toBe(true);
    if (label.trim().toLowerCase() === name.toLowerCase()) return;
  }
  throw new Error(`no stop named ${name} within 80`);
}

test("an admin without a mouse finds an artist, changes everything and saves", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "content");
  const name = "Kesto Vann";
  await addArtist(page, site, name);
  await addArtist(page, site, "Somebody Else");

  await tabTo(page, "Content");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=artists/);
  // Before the tab is there the next stop would be past the end of the page.
  await expect(page.getByRole("searchbox", { name: "Search names" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(2);
  await tabTo(page, "Search names");
  await page.keyboard.type(name);
  // The rows found before stand until the answer is here, and their keys go with them.
  await expect(page.getByText("1 found")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await tabTo(page, `Edit ${name}`);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit Artist" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("By Hand");
  await tabTo(page, "Bio");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Written without a mouse.");
  await tabTo(page, "Featured");
  const featured = dialog.getByRole("switch", { name: "Featured" });
  const wasFeatured = await featured.isChecked();
  await page.keyboard.press("Space");
  await expect(featured).toBeChecked({ checked: !wasFeatured });
  await tabTo(page, "Upload Image");
  const picker = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  const portrait = { name: "portrait.png", mimeType: "image/png", buffer: makePng(900, 700) };
  await (await picker).setFiles(portrait);
  await expectToast(page, "Artist image uploaded successfully");
  await tabTo(page, "Image URL");
  const address = await dialog.getByLabel("Image URL").inputValue();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(address);
  for (const field of [
    "Spotify URL",
    "SoundCloud URL",
    "Apple Music URL",
    "YouTube URL",
    "Instagram URL",
    "Website",
    "Twitter",
  ]) {
    await tabTo(page, field);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(`https://example.org/${field.length}`);
  }
  await tabTo(page, "Save");
  await page.keyboard.press("Enter");
  await expectToast(page, "Artist updated successfully");
  await expect(dialog).toBeHidden();

  const saved = await page.request.get(`${site.url}/api/admin/artists?q=By+Hand`);
  const [artist] = (await saved.json()).items;
  expect(artist).toMatchObject({
    name: "By Hand",
    bio: "Written without a mouse.",
    featured: !wasFeatured,
    image_url: expect.stringMatching(/^\/media\/artists\/artist-\d+\.png$/),
    spotify_url: "https://example.org/11",
    social_links: { website: "https://example.org/7", twitter: "https://example.org/7" },
  });
});

test("an admin without a mouse makes a release, and is who says when it is public", async ({
  page,
  startSite,
}) => {
  // Of a high field the line that is written in is scrolled to, and not the middle.
  await page.setViewportSize({ width: 1440, height: 1400 });
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  await addArtist(page, site, "Kesto Vann");
  const first = { title: "Quartz", catalog: "404-001", release_date: "2031-01-01" };
  await expect(await page.request.post(`${site.url}/api/admin/releases`, { data: first })).toBeOK();
  await expect(page.getByRole("article", { name: "Quartz" })).toBeVisible();
  const status = async () => (await page.request.get(`${site.url}/releases/404-002`)).status();

  await tabTo(page, "Add Release");
  await page.keyboard.press("Enter");
  let dialog = page.getByRole("dialog", { name: "Add New Release" });
  await expect(dialog.getByLabel("Title", { exact: true })).toBeFocused();
  await page.keyboard.type("Lead-Out Ritual");
  await tabTo(page, "Artist");
  await page.keyboard.type("kesto");
  await expect(page.getByRole("option")).toHaveText(["Kesto Vann"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox", { name: "Artist" })).toHaveValue("Kesto Vann");
  await tabTo(page, "Use the next free number, 404-002");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Catalog")).toHaveValue("404-002");
  await tabTo(page, "Release Date");
  await page.keyboard.type("02032031");
  await tabTo(page, "Add Track");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Track 1 Name")).toBeFocused();
  await page.keyboard.type("Needle Down");
  await tabTo(page, "Add Credit");
  await tabTo(page, "Now");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("radio", { name: "Not yet" })).toBeChecked();
  await tabTo(page, "Save");
  await page.keyboard.press("Enter");
  await expectToast(page, "Release created successfully");
  await expect(dialog).toBeHidden();
  expect(await status()).toBe(404);

  const edit = async () => {
    // Saving returns the focus to the button that opened the dialog.
    await expect(page.getByRole("button", { name: "Edit Lead-Out Ritual" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByLabel("Title", { exact: true })).toBeFocused();
  };
  const save = async () => {
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
  };
  dialog = page.getByRole("dialog", { name: "Edit Release" });
  await tabTo(page, "Edit Lead-Out Ritual");
  await edit();
  await tabTo(page, "Not yet");
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("radio", { name: "Now" })).toBeChecked();
  await save();
  expect(await status()).toBe(200);
  await edit();
  await tabTo(page, "Take Back");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("It is out. Saving takes it back")).toBeVisible();
  await save();
  expect(await status()).toBe(404);
  await edit();
  await tabTo(page, "Not yet");
  await page.keyboard.press("ArrowRight");
  await save();
  expect(await status()).toBe(200);
});

test("on a phone the focus is never below what stays at the window's edge", async ({
  page,
  startSite,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const site = await startSite({ sample: true });
  await openDashboard(page, site, "artists");
  await page
    .getByRole("button", { name: /^Edit / })
    .first()
    .click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await tabTo(page, "Twitter");
  await tabTo(page, "Save");

  // The way back to the dashboard stands over the end of every page.
  await page.goto(`${site.url}/releases`);
  await expect(page.getByRole("button", { name: "Admin Panel" })).toBeVisible();
  await expect(page.getByRole("article").first()).toBeVisible();
  const first = page.getByRole("contentinfo").getByRole("link").first();
  // The rows above are drawn as they come near, and may move the end of the page once more.
  await expect(async () => {
    await first.blur();
    await first.focus();
    await expect(first).toBeInViewport({ timeout: 500 });
  }).toPass();
  await tabTo(page, "Admin Panel");
});
