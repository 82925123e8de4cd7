import { expectToast, makeUp, passwordOf } from "../accounts/person.ts";
import { expect, test } from "../test.ts";
import { AT_ONCE, addArtist, editRow, openDashboard } from "./dashboard.ts";

// Chromium reports a save refused because another admin saved first, a page in maintenance, and a lost connection;
// the page reports the reads that fail while the connection is lost.
test.use({ expectedMessages: /status of (412|503) |ERR_INTERNET_DISCONNECTED|^Reading .* failed/ });

test("a text saved in the dashboard is on the visitor's open page at once", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await visitor.goto(site.url);
  await openDashboard(page, site, "content");
  const card = page.getByRole("form", { name: "HERO MAIN TITLE" });
  await card.getByRole("textbox").fill("RUN-OUT GROOVE");
  await card.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Content updated successfully");
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("RUN-OUT GROOVE", AT_ONCE);
  await expect(card.getByRole("button", { name: "Save Changes" })).toBeHidden();

  // Below a line of capitals the picture's box ends; descenders are not cut off by it.
  await card.getByRole("textbox").fill("Early Gong");
  await card.getByRole("button", { name: "Save Changes" }).click();
  const title = visitor.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("Early Gong", AT_ONCE);
  const room = await title.evaluate((heading) => {
    const text = document.createRange();
    text.selectNodeContents(heading.querySelector("span span") ?? heading);
    const box = heading.parentElement?.getBoundingClientRect();
    return (box?.bottom ?? 0) - text.getBoundingClientRect().bottom;
  });
  expect(room).toBeGreaterThanOrEqual(0);
});

test("an artist is added, featured, renamed and deleted while a visitor looks on", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await visitor.goto(`${site.url}/artists`);
  await openDashboard(page, site, "artists");
  await expect(page.getByText("No artists yet")).toBeVisible();
  await page.getByRole("button", { name: "Add Artist" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Artist" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("list", { name: "What is wrong" })).toHaveText("Name is required");
  await dialog.getByLabel("Name").fill("Rhythm & Sound");
  await dialog.getByLabel("Website").fill("https://example.org/");
  await dialog.getByRole("switch", { name: "Featured" }).check();
  await dialog.getByRole("button", { name: "Save" }).dblclick();
  await expectToast(page, "Artist created successfully");
  await expect(page.getByRole("heading", { name: "Artists (1)" })).toBeVisible();
  await expect(page.getByRole("article").getByText("Featured")).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Rhythm & Sound" })).toBeVisible(AT_ONCE);

  const edit = await editRow(page, "Rhythm & Sound");
  await expect(edit.getByLabel("Website")).toHaveValue("https://example.org/");
  await edit.getByLabel("Name").fill("Basic Channel");
  await edit.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Artist updated successfully");
  await expect(visitor.getByRole("link", { name: "Basic Channel" })).toBeVisible(AT_ONCE);

  await page.getByRole("button", { name: "Delete Basic Channel" }).dblclick();
  await expectToast(page, "Artist deleted successfully");
  await expect(page.getByText("No artists yet")).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Basic Channel" })).toHaveCount(0, AT_ONCE);
});

test("a release finds its artist by typing, appears to visitors, is renamed and deleted", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await visitor.goto(`${site.url}/releases`);
  await openDashboard(page, site, "releases");
  for (const name of ["Kesto Vann", "Dana Ruh", "Øre"]) await addArtist(page, site, name);
  await page.getByRole("button", { name: "Add Release" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Release" });
  await dialog.getByLabel("Title").fill("Locked Forever");
  await dialog.getByLabel("Release Date").fill("2031-02-03");
  const artist = dialog.getByRole("combobox", { name: "Artist" });
  await artist.pressSequentially("vann");
  const name = "Kesto Vann";
  await expect(page.getByRole("option")).toHaveText([name]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(artist).toHaveValue(name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release created successfully");
  const row = page.getByRole("article", { name: "Locked Forever" });
  await expect(row).toContainText(name);
  await expect(row).toContainText("2031.02.03");
  const card = visitor.getByRole("article").first();
  await expect(card).toContainText("Locked Forever", AT_ONCE);
  await expect(card).toContainText(name);

  const edit = await editRow(page, "Locked Forever");
  await edit.getByLabel("Title").fill("Locked For Now");
  await edit.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release updated successfully");
  await expect(card).toContainText("Locked For Now", AT_ONCE);
  await page.getByRole("button", { name: "Delete Locked For Now" }).click();
  await expectToast(page, "Release deleted successfully");
  await expect(visitor.getByText("NO RELEASES FOUND")).toBeVisible(AT_ONCE);
});

test("a product is kept to its numbers, and switched in the list before a second admin", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "store");
  const other = await openBrowser();
  await openDashboard(other, site, "store");
  await page.getByRole("button", { name: "Add Product" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Product" });
  await dialog.getByLabel("Title").fill("Slipmat");
  await dialog.getByLabel("Price").fill("-1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Price must be positive").first()).toBeVisible();
  await dialog.getByLabel("Price").fill("1.234");
  await expect(dialog.getByText("Price is not clear").first()).toBeVisible();
  await dialog.getByLabel("Price").fill("");
  await dialog.getByLabel("Price").click();
  await page.keyboard.type("24,90");
  await expect(dialog.getByText("Saved as 24.90")).toBeVisible();
  await expect(dialog.getByLabel("Stock")).toHaveValue("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Product created successfully");
  const seen = other.getByRole("article", { name: "Slipmat" });
  await expect(seen).toContainText("24.90", AT_ONCE);
  // A click into a price selects it, so that typing replaces it instead of adding in front.
  const edit = await editRow(page, "Slipmat");
  await edit.getByLabel("Price").click({ position: { x: 4, y: 8 } });
  await page.keyboard.type("1.234,50");
  await expect(edit.getByText("Saved as 1\u00a0234.50")).toBeVisible();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(seen).toContainText("1234.50", AT_ONCE);
  await page.getByRole("switch", { name: "Active: Slipmat" }).click();
  await expectToast(page, "Product deactivated successfully");
  await expect(seen.getByText("Inactive")).toBeVisible(AT_ONCE);
});

test("a page is put into maintenance under a visitor's eyes, and taken out again", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  const screen = visitor.getByText("SYSTEM PATCH IN PROGRESS...");
  await openDashboard(page, site, "releases");
  const address = `${site.url}/releases`;
  await visitor.goto(address);
  const toggle = page.getByRole("switch", { name: "Maintenance Mode: releases" });
  await toggle.click();
  await expect(screen).toBeVisible(AT_ONCE);
  await expectToast(page, "Maintenance Mode Enabled");
  await expect(page.getByText("The public sees the maintenance screen.")).toBeVisible();
  // Admins reach the page all the same.
  const mine = await page.context().newPage();
  await mine.goto(address);
  await expect(mine.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(mine.getByText("SYSTEM PATCH IN PROGRESS...")).toHaveCount(0);
  await mine.close();
  await toggle.click();
  await expect(screen).toHaveCount(0, AT_ONCE);
  await expect(page.getByText("The page is live.")).toBeVisible();
  await expectToast(page, "Maintenance Mode Disabled");
});

test("a sign-up is counted in the analytics of the browser it was made in, without its address", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const { email, password } = makeUp(site);
  await page.goto(`${site.url}/signup`);
  await page.getByLabel("Email").fill(email);
  await passwordOf(page).fill(password);
  await page.getByRole("form").locator("button[type=submit]").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/check your inbox/i);
  await openDashboard(page, site, "analytics");
  const events = page.getByRole("list", { name: "Recent Events" });
  await expect(events.getByText("signup_success")).toBeVisible();
  await expect(events.getByText("example.org").first()).toBeVisible();
  await expect(page.getByText(email)).toHaveCount(0);
  const other = await openBrowser();
  await openDashboard(other, site, "analytics");
  await expect(other.getByText("No events in this browser yet")).toBeVisible();
});

test("unsaved work is asked about before the dialog, the tab or the page goes", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "content");
  await page.getByRole("tab", { name: "Artists" }).click();
  const question = page.getByRole("alertdialog", { name: "Unsaved changes" });
  const stay = question.getByRole("button", { name: "Keep Editing" });
  await page.getByRole("button", { name: "Add Artist" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Artist" });
  await dialog.getByLabel("Name").fill("Half a name");
  await page.keyboard.press("Escape");
  await stay.click();
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel("Name")).toHaveValue("Half a name");
  await page.goBack();
  await stay.click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Half a name");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await (await asked).dismiss();
  await expect(dialog.getByLabel("Name")).toHaveValue("Half a name");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Leave Without Saving" }).click();
  await expect(dialog).toBeHidden();
});
