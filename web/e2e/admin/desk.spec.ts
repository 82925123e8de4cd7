// The demo desk: heard and judged by keys alone; seen by a second admin; on a phone.
import { makeWave } from "../audio.ts";
import { letters } from "../mails.ts";
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  FAILED_RESOURCE,
  test,
} from "../test.ts";
import { AT_ONCE, openDashboard } from "./dashboard.ts";
import { isPlaying, onDesk, openDesk, stored } from "./desk.ts";
import { sendDemo } from "./sentDemos.ts";

const ARTISTS = ["Kesto Vann", "Somatic Drift", "Null Meridian", "Ferrous"] as const;

test("demos are heard and decided by keys alone", async ({ page, startSite }) => {
  const site = await startSite({ sample: false, engine: "postgres" });
  for (const artist of ARTISTS) await sendDemo(site, { artist });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);

  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await press("Space");
  for (const [place, artist] of ARTISTS.entries()) {
    await onDesk(page, artist);
    await isPlaying(page, artist);
    await press(place === 1 ? "a" : "d");
    await expect(
      page.getByText(place === 1 ? `Accepted, ${artist}` : `Declined, ${artist}`),
    ).toBeVisible();
    await press("n");
  }
  expect(keys, "keys for four demos").toBeLessThanOrEqual(4 * ARTISTS.length);

  const demos = await stored(page, site);
  for (const [place, artist] of ARTISTS.entries()) {
    expect(demos.get(artist)).toMatchObject({
      state: place === 1 ? "accepted" : "declined",
      heard_at: expect.any(String),
    });
  }
  await page.keyboard.press("u");
  await expect.poll(async () => (await stored(page, site)).get("Ferrous")?.state).toBe("new");
});

test("a demo counts as heard when it has come to its end, and not when it is only opened", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  for (const artist of ARTISTS.slice(0, 2)) {
    await sendDemo(site, { artist, file: makeWave(2) });
  }
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  // Plays it.
  await page.keyboard.press("n");
  await onDesk(page, ARTISTS[1]);
  await expect.poll(async () => (await stored(page, site)).get(ARTISTS[1])?.state).toBe("heard");
  expect((await stored(page, site)).get(ARTISTS[0])?.state).toBe("new");
});

test("the letter about a demo leads to it on the desk", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  for (const artist of ARTISTS.slice(0, 2)) await sendDemo(site, { artist });
  const letter = letters(site).find(({ subject }) => subject.endsWith(`demo by ${ARTISTS[1]}`));
  const [link = ""] = letter?.text.match(/https?:\/\/\S+/) ?? [];
  await openDashboard(page, site, "content");
  await page.goto(link);
  await onDesk(page, ARTISTS[1]);
});

test("what one admin decides is with the other at once", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  for (const artist of ARTISTS) await sendDemo(site, { artist });
  const other = await openBrowser();
  await openDesk(page, site);
  await openDesk(other, site);
  await onDesk(other, ARTISTS[0]);
  const theirs = other.getByRole("region", { name: "Judgement" });
  await page.keyboard.press("s");
  await expect(theirs.getByRole("button", { name: "Shortlist" })).toHaveAttribute(
    "aria-pressed",
    "true",
    AT_ONCE,
  );
});

test.describe("a demo that is removed while it is heard", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("is said to be gone, and the next one follows", async ({ page, startSite }) => {
    const site = await startSite({ sample: false });
    for (const artist of ARTISTS.slice(0, 2)) await sendDemo(site, { artist });
    await openDesk(page, site);
    await onDesk(page, ARTISTS[0]);
    await page.keyboard.press("Space");
    await isPlaying(page, ARTISTS[0]);
    const { id } = (await stored(page, site)).get(ARTISTS[0]) ?? {};
    await expect(await page.request.delete(`${site.url}/api/admin/demos/${id}`)).toBeOK();
    await expect(page.getByText(/This demo is gone/)).toBeVisible(AT_ONCE);
    await page.keyboard.press("n");
    await onDesk(page, ARTISTS[1]);
    await isPlaying(page, ARTISTS[1]);
  });
});

test("the sound is moved along by keys and by pointing into its picture", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await sendDemo(site, { artist: ARTISTS[0] });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  const place = page.getByRole("slider", { name: `Place in ${ARTISTS[0]}` });
  await expect(place).toBeEnabled();
  await page.keyboard.press("Digit5");
  await expect(place).toHaveAttribute("aria-valuetext", "0:12 of 0:24");
  await page.keyboard.press("j");
  await expect(place).toHaveAttribute("aria-valuetext", "0:00 of 0:24");
  await page.keyboard.press("l");
  await expect(place).toHaveAttribute("aria-valuetext", "0:15 of 0:24");
  const { width = 0, height = 0 } = (await place.boundingBox()) ?? {};
  await place.click({ position: { x: width * 0.75, y: height / 2 } });
  await expect(place).toHaveAttribute("aria-valuetext", /0:1[78] of 0:24/);
  await place.press("ArrowLeft");
  await expect(place).toHaveAttribute("aria-valuetext", /0:1[23] of 0:24/);
});

test("on a phone the next demo begins where it is seen", async ({ page, startSite }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const site = await startSite({ sample: false });
  const message = "Für euch. ".repeat(60);
  for (const artist of ARTISTS.slice(0, 2)) await sendDemo(site, { artist, message });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: ARTISTS[1] })).toBeInViewport();
});

test("the desk is accessible and fits a phone, with a word that does not end", async ({
  page,
  startSite,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const site = await startSite({ sample: false });
  const message = `Für euch.\n${"One-word-that-does-not-end".repeat(8)}`;
  for (const artist of ARTISTS) await sendDemo(site, { artist, message });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: `Choose ${ARTISTS[1]}` }).check();
  await page.getByRole("button", { name: "Decline 1" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Decline 1 demo" }).click();
  await expect.poll(async () => (await stored(page, site)).get(ARTISTS[1])?.state).toBe("declined");
  await page.getByRole("button", { name: "All keys" }).click();
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

for (const hasTouch of [false, true]) {
  test.describe(hasTouch ? "under a thumb" : "under a mouse", () => {
    // Fields have larger letters on touch screens.
    test.use({ hasTouch, isMobile: hasTouch });

    test("no word of what is decided and filtered by is broken or cut, however wide the window is", async ({
      page,
      startSite,
    }) => {
      const site = await startSite({ sample: false });
      await sendDemo(site, { artist: ARTISTS[0] });
      await openDesk(page, site);
      await onDesk(page, ARTISTS[0]);
      const keys = page.getByRole("region", { name: "Judgement" }).getByRole("button");
      const filters = page.getByRole("region", { name: "Queue" }).getByRole("combobox");
      for (const width of [320, 360, 390, 667, 768, 1024, 1280, 1366, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const heights = await keys.evaluateAll((all) =>
          all.map((key) => key.getBoundingClientRect().height),
        );
        // One line in each.
        expect(Math.max(...heights), `${width}`).toBeLessThan(60);
        const cut = await filters.evaluateAll((all) =>
          all.map((filter) => {
            const whole = filter.cloneNode(true) as HTMLElement;
            whole.style.width = "max-content";
            filter.after(whole);
            const [wanted, given] = [whole, filter].map((one) => one.getBoundingClientRect().width);
            const missing = (wanted ?? 0) - (given ?? 0);
            whole.remove();
            return missing;
          }),
        );
        expect(Math.max(...cut), `${width}`).toBeLessThan(1);
        await expectNoSidewaysScroll(page);
      }
    });
  });
}

test("in a reader's own colours, the given score and the state stand out", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await sendDemo(site, { artist: ARTISTS[0] });
  await page.emulateMedia({ forcedColors: "active" });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  await page.keyboard.press("Shift+3");
  await page.keyboard.press("s");
  const judgement = page.getByRole("region", { name: "Judgement" });
  const colour = (name: string) =>
    judgement
      .getByRole("button", { name })
      .evaluate((key) => getComputedStyle(key).backgroundColor);
  await expect(judgement.getByRole("button", { pressed: true })).toHaveCount(2);
  expect(await colour("Score 3")).not.toBe(await colour("Score 2"));
  expect(await colour("Shortlist")).not.toBe(await colour("Decline"));
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 800 } });

  test("no field has letters so small that the phone zooms in on it", async ({
    page,
    startSite,
  }) => {
    const site = await startSite({ sample: false });
    await sendDemo(site, { artist: ARTISTS[0] });
    await openDesk(page, site);
    await onDesk(page, ARTISTS[0]);
    await page.keyboard.press("r");
    await expect(page.getByLabel("Kind of answer")).toBeVisible();
    const fields = page.locator(
      "select, textarea, input:not([type=range], [type=checkbox], [type=file])",
    );
    const small = await fields.evaluateAll((all) =>
      all
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML),
    );
    expect(small).toEqual([]);
  });
});
