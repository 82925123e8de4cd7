// A demo's sound on the desk: its waveform and measurements, the tracks of an archive, and the draft that follows.
import { makeWave, makeZip } from "../audio.ts";
import { WIDTHS } from "../routes.ts";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  FAILED_RESOURCE,
  test,
} from "../test.ts";
import { isPlaying, onDesk, openDesk, stored } from "./desk.ts";
import { sendDemo } from "./sentDemos.ts";

const NAME = "Kesto Vann";

const archive = () =>
  makeZip({
    "set/01 Intro.wav": makeWave(3),
    "set/02 Hot.wav": makeWave(4, true),
    "set/03 Outro.wav": makeWave(2),
  });

test("a demo is measured while the desk is open", async ({ page, startSite }) => {
  const site = await startSite({ sample: false, engine: "postgres" });
  await openDesk(page, site);
  await expect(page.getByText("No demo selected.")).toBeVisible();
  await sendDemo(site, { artist: NAME, file: makeWave(24, true) });
  await onDesk(page, NAME);
  const facts = page.getByLabel("Sound", { exact: true });
  await expect(facts).toContainText("CLIPPED");
  await expect(facts).toContainText("0:24");
  await expect(facts).toContainText(/−?\d+\.\d LUFS/);
  await expect(facts).toContainText("8 kHz, mono");
  await expect(page.locator("svg.waveform")).toHaveCount(1);
});

test("the tracks of an archive are heard one after the other, and by keys", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await sendDemo(site, { artist: NAME, name: "set.zip", file: archive() });
  await openDesk(page, site);
  await onDesk(page, NAME);
  const tracks = page.getByRole("region", { name: "Tracks" });
  await expect(tracks.getByRole("button")).toHaveCount(3);
  await expect(tracks.getByRole("button").nth(1)).toContainText("CLIPPED");
  await page.keyboard.press("Space");
  await isPlaying(page, NAME);
  await expect(page.getByText("Track 1 of 3")).toBeVisible();
  // The second follows by itself.
  await expect(page.getByText("Track 2 of 3")).toBeVisible();
  await expect(page.getByText(/^CLIPPED, \d+ samples$/)).toBeVisible();
  await page.keyboard.press("t");
  await expect(page.getByText("Track 3 of 3")).toBeVisible();
  await page.keyboard.press("Shift+T");
  await expect(page.getByText("Track 2 of 3")).toBeVisible();
  await tracks.getByRole("button").nth(2).click();
  await isPlaying(page, NAME);
  await expect.poll(async () => (await stored(page, site)).get(NAME)?.state).toBe("heard");
});

test.describe("an archive without any sound that can be read", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("is said to be so, and can be downloaded", async ({ page, startSite }) => {
    const site = await startSite({ sample: false });
    const file = makeZip({ "01.wav": makeWave(1).subarray(0, 44) });
    await sendDemo(site, { artist: NAME, name: "set.zip", file });
    await openDesk(page, site);
    await onDesk(page, NAME);
    await expect(page.getByText(/^Not measured: /).first()).toBeVisible();
  });
});

test("an accepted demo becomes one draft, which is open to be filled in", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await sendDemo(site, { artist: NAME, name: "Night Bus.wav" });
  await openDesk(page, site);
  await onDesk(page, NAME);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "DRAFT A RELEASE" }).dblclick();
  const form = page.getByRole("dialog", { name: "Edit Release" });
  await expect(form.getByRole("textbox", { name: "Title" })).toHaveValue("Night Bus");
  await expectAccessible(page);
  await form.getByRole("textbox", { name: "Format" }).fill("12 inch");
  await form.getByLabel("Release Date").fill("2027-03-01");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: "OPEN THE DRAFT" }).click();
  await expect(form.getByRole("textbox", { name: "Format" })).toHaveValue("12 inch");
  const answer = await page.request.get(`${site.url}/api/admin/releases`);
  const { items } = await answer.json();
  expect(items).toMatchObject([{ title: "Night Bus", state: "draft", artist: { name: NAME } }]);
});

for (const width of WIDTHS) {
  test(`measured sound and tracks are accessible and fit at ${width} px`, async ({
    page,
    startSite,
  }, info) => {
    await page.setViewportSize({ width, height: 900 });
    const site = await startSite({ sample: false });
    await sendDemo(site, { artist: NAME, name: "set.zip", file: archive() });
    await openDesk(page, site);
    await onDesk(page, NAME);
    await expect(page.getByRole("region", { name: "Tracks" }).getByText("CLIPPED")).toBeVisible();
    await page.keyboard.press("5");
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.screenshot({ path: info.outputPath("desk.png"), fullPage: true });
  });
}
