import { WIDTHS } from "../routes.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { editRow, openDashboard } from "./dashboard.ts";

const TABS = [
  "Content",
  "Artists",
  "Releases",
  "Store",
  "Media",
  "Newsletter",
  "Analytics",
  "Terminal",
  "Security",
];

for (const width of WIDTHS) {
  test(`the dashboard is accessible and fits at ${width} px, tab by tab`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await openDashboard(page, site, "content");
    for (const name of TABS) {
      await page.getByRole("tab", { name }).click();
      await expect(
        page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first(),
      ).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  });

  test(`the editors are accessible and fit at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    await openDashboard(page, site, "artists");
    for (const [tab, kind] of [
      ["Artists", "Artist"],
      ["Releases", "Release"],
      ["Store", "Product"],
    ] as const) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("button", { name: `Add ${kind}` }).click();
      const dialog = page.getByRole("dialog", { name: `Add New ${kind}` });
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByRole("list", { name: "What is wrong" })).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
    }
  });
}

test("reload, back and links keep the tab", async ({ page, site }) => {
  await openDashboard(page, site, "releases");
  await page.reload();
  await expect(page.getByRole("tab", { name: "Releases", selected: true })).toBeVisible();
  await page.getByRole("tab", { name: "Terminal" }).click();
  await expect(page).toHaveURL(/tab=terminal/);
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Releases", selected: true })).toBeVisible();
  const row = (await page.getByRole("article").first().getAttribute("aria-label")) ?? "";
  const dialog = await editRow(page, row);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: `Edit ${row}`, exact: true })).toBeFocused();
});
