// Tracks and credits as rows, on a phone's width: pasted, moved and removed without leaving the form.
import { expectToast } from "../accounts/person.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { editRow, openDashboard } from "./dashboard.ts";

test.use({ viewport: { width: 360, height: 740 } });

test("tracks and credits are rows that fit a phone", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  const data = { title: "Signal", release_date: "2031-02-03" };
  await expect(await page.request.post(`${site.url}/api/admin/releases`, { data })).toBeOK();
  const form = await editRow(page, "Signal");
  await form.getByRole("button", { name: "Add Track" }).click();
  const title = form.getByLabel("Track 1 Name");
  await expect(title).toBeFocused();
  await title.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const options = { clipboardData, bubbles: true, cancelable: true };
    input.dispatchEvent(new ClipboardEvent("paste", options));
  }, "One 6:12\nTwo / Ava 1:02:03\nThree");
  await expect(form.getByLabel("Track 3 Name")).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(form.getByLabel("Track 2 Name")).toBeFocused();
  await expect(form.getByLabel("Track 2 Name")).toHaveValue("Three");
  await form.getByRole("button", { name: "Move track 2 up" }).click();
  await expect(form.getByRole("button", { name: "Move track 1 up" })).toBeFocused();
  await form.getByRole("button", { name: "Add Credit" }).click();
  await form.getByLabel("Credit 1 Role").fill("Mastering");
  await form.getByLabel("Credit 1 Name").fill("Ada");

  await expectNoSidewaysScroll(page);
  const list = form.getByRole("list", { name: "Tracks" });
  const wide = await list.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(wide, "pixels the rows are wider than their place").toBeLessThanOrEqual(0);
  for (const key of await list.getByRole("button").all()) {
    const box = await key.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await expectAccessible(page);

  await form.getByLabel("Track 2 Length").fill("soon");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Track 2: Please write the length as 6:12")).toBeVisible();
  await expect(form.getByLabel("Track 2 Length")).toBeFocused();
  await form.getByLabel("Track 2 Length").fill("6:13");
  await form.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Release updated successfully");
  const { items } = await (await page.request.get(`${site.url}/api/admin/releases`)).json();
  expect(items[0].tracks).toMatchObject([
    { title: "Three", duration_label: null },
    { title: "One", duration_label: "6:13" },
    { title: "Two", artist: "Ava", duration_label: "1:02:03" },
  ]);
  expect(items[0].credits).toEqual([{ role: "Mastering", name: "Ada" }]);
});
