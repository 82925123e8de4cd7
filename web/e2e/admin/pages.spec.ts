import { expect, test } from "../test.ts";
import { editRow, openDashboard } from "./dashboard.ts";

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
