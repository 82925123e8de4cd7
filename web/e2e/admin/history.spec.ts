import type { Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { expect, test } from "../test.ts";
import { editRow, openDashboard } from "./dashboard.ts";

// Chromium reports a restore that was refused because another admin saved first.
test.use({ expectedMessages: /status of 412 / });

test("an older version is restored over what another admin saved meanwhile, and nothing is lost", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  const other = await openBrowser();
  await openDashboard(other, site, "releases");
  const path = `${site.url}/api/admin/releases`;
  const save = async (by: Page, id: string, version: number, description: string) => {
    const data = { title: "Quartz", release_date: "2031-02-03", description };
    const answer = id
      ? await by.request.put(`${path}/${id}`, {
          data,
          headers: { "If-Match": `"${version}"` },
        })
      : await by.request.post(path, { data });
    await expect(answer, await answer.text()).toBeOK();
    return (await answer.json()).id as string;
  };
  const id = await save(page, "", 0, "First words.");
  await save(page, id, 1, "Second words.");
  await expect(page.getByText("Second words.")).toBeVisible();

  const form = await editRow(page, "Quartz");
  const description = form.getByRole("textbox", { name: "Description" });
  await expect(description).toHaveValue("Second words.");
  await description.fill("Half a thought");
  const openHistory = () => form.getByRole("button", { name: "History of Quartz" }).click();
  await openHistory();
  const history = page.getByRole("dialog", { name: "History: Quartz" });
  await expect(history.getByText("What you typed is not saved.")).toBeVisible();
  await expect(history.getByRole("listitem").first()).toContainText("Version 2 (newest)");
  const restore = history.getByRole("button", { name: /^Restore this version: 1 of/ });
  await expect(restore).toBeVisible();

  await save(other, id, 2, "Theirs, meanwhile.");
  const refused = page.waitForResponse((answer) => answer.url().endsWith("/1/restore"));
  await restore.click();
  expect((await refused).status()).toBe(412);
  await expectToast(page, "Failed to restore the version");
  await expect(history.getByRole("listitem").first()).toContainText("Version 3 (newest)");
  await expect(history.getByRole("listitem").first()).toContainText("After: Theirs, meanwhile.");
  await history.getByRole("button", { name: "CLOSE" }).click();
  await expect(description).toHaveValue("Half a thought");
  await expect(form.getByRole("region", { name: "Newest version" })).toContainText(
    "Theirs, meanwhile.",
  );

  await openHistory();
  await expect(history.getByRole("listitem").first()).toContainText("Version 3 (newest)");
  await restore.click();
  await expectToast(page, "Version restored successfully");
  await expect(description).toHaveValue("First words.");
  await expect(form.getByRole("region", { name: "Newest version" })).toHaveCount(0);
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toBeHidden();

  const kept = await (
    await page.request.get(`${site.url}/api/admin/versions/release/${id}`)
  ).json();
  expect(
    kept.items.map(({ fields }: { fields: { description: string } }) => fields.description),
  ).toEqual(["First words.", "Theirs, meanwhile.", "Second words.", "First words."]);
});
