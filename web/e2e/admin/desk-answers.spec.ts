// Demos answered by the keyboard alone: the letter, its undo, two admins answering at once, and the template it starts from.
import { WIDTHS } from "../routes.ts";
import { expect, FAILED_RESOURCE, test } from "../test.ts";
import { AT_ONCE } from "./dashboard.ts";
import { isPlaying, onDesk, openDesk, stored } from "./desk.ts";
import { sendDemo } from "./sentDemos.ts";

const ARTISTS = ["Kesto Vann", "Somatic Drift", "Null Meridian"] as const;

test("score, D, Enter is a whole demo", async ({ page, startSite }) => {
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
    await press("Shift+Digit4");
    await press("d");
    await press("Enter");
    await expect(page.getByText(`Declined, ${artist} is answered`)).toBeVisible();
    const next = ARTISTS[place + 1];
    if (next) await isPlaying(page, next);
  }
  expect(keys, "keys for three demos").toBeLessThanOrEqual(4 * ARTISTS.length);
  const demos = await stored(page, site);
  /** How many letters the server has of a demo, beside the one that confirmed it. */
  const letters = async (artist: string) => {
    const path = `/api/admin/desk/demos/${demos.get(artist)?.id}`;
    const { answers } = await (await page.request.get(`${site.url}${path}`)).json();
    return answers.filter(({ kind }: { kind: string }) => kind !== "received").length;
  };
  for (const artist of ARTISTS) {
    expect(demos.get(artist)).toMatchObject({ state: "declined", my_score: 4 });
    expect(await letters(artist), artist).toBe(1);
  }
  // Letter and decision together.
  await page.keyboard.press("u");
  await expect.poll(async () => (await stored(page, site)).get(ARTISTS[2])?.state).toBe("heard");
  expect(await letters(ARTISTS[2])).toBe(0);
});

test("a letter is changed, listed, and seen by the other admin at once", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const email = await sendDemo(site, { artist: ARTISTS[0] });
  const other = await openBrowser();
  await openDesk(page, site);
  await openDesk(other, site);
  await onDesk(other, ARTISTS[0]);
  await page.keyboard.press("s");
  await expect(page.getByText(`Shortlisted, ${ARTISTS[0]}`)).toBeVisible();
  await page.keyboard.press("r");
  const letter = page.getByRole("form", { name: "Answer" });
  await expect(letter).toContainText(email);
  await letter.getByRole("textbox", { name: "Text" }).fill("Dear you,\nthank you.");
  await page.keyboard.press("Control+Enter");
  await expect(letter).toBeHidden();
  const theirs = other.getByRole("region", { name: "Answers" });
  await expect(theirs).toContainText("Waits", AT_ONCE);
  await theirs.getByRole("button", { name: /^Take back/ }).click();
  await expect(page.getByRole("region", { name: "Answers" })).not.toContainText("Waits", AT_ONCE);
});

for (const width of WIDTHS) {
  test(`what Enter sends is seen at ${width} px`, async ({ page, startSite }) => {
    const site = await startSite({ sample: false });
    await sendDemo(site, { artist: ARTISTS[0] });
    await page.setViewportSize({ width, height: width < 768 ? 740 : 700 });
    await openDesk(page, site);
    await onDesk(page, ARTISTS[0]);
    await page.keyboard.press("d");
    const letter = page.getByRole("form", { name: "Answer" });
    for (const part of [
      letter.getByRole("textbox", { name: "Subject" }),
      letter.getByRole("textbox", { name: "Text" }),
      letter.getByRole("button", { name: "Send" }),
    ]) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
  });
}

test.describe("two who answer the same demo", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("do not send it twice unless one of them means it", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: false });
    await sendDemo(site, { artist: ARTISTS[0] });
    const other = await openBrowser();
    await openDesk(page, site);
    await openDesk(other, site);
    for (const desk of [page, other]) {
      await onDesk(desk, ARTISTS[0]);
      // The sender has already had the letter of receipt, so a second letter of that kind needs a confirmation.
      if (desk === page) await desk.keyboard.press("s");
      await expect(desk.getByRole("button", { name: "Shortlist", pressed: true })).toBeVisible();
      await desk.keyboard.press("r");
      await expect(
        desk.getByRole("form", { name: "Answer" }).getByRole("textbox", { name: "Text" }),
      ).toBeVisible();
    }
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Shortlisted, ${ARTISTS[0]} is answered`)).toBeVisible();
    await other.keyboard.press("Enter");
    const again = other.getByRole("button", { name: "Send Another" });
    await expect(again).toBeVisible();
    await again.click();
    await expect(other.getByText(`Shortlisted, ${ARTISTS[0]} is answered`)).toBeVisible();
    await expect(other.getByRole("region", { name: "Answers" }).getByRole("listitem")).toHaveCount(
      3,
    );
  });

  test("keep what they typed when the other has saved the words first", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: false });
    const other = await openBrowser();
    const cards = [];
    for (const desk of [page, other]) {
      await openDesk(desk, site);
      await desk.getByRole("button", { name: "Letters" }).click();
      const card = desk.getByRole("form", { name: "Declined" });
      await expect(card.getByRole("textbox", { name: "Subject" })).not.toHaveValue("");
      cards.push(card);
    }
    const [mine, theirs] = cards;
    if (!mine || !theirs) throw new Error("two desks");
    await mine.getByRole("textbox", { name: "Subject" }).fill("Mine, {artist}");
    // The news of the other's words are still on their way.
    const old = await (await page.request.get(`${site.url}/api/admin/desk/templates`)).json();
    let isBehind = true;
    await page.route("**/api/admin/desk/templates", (route) =>
      isBehind ? route.fulfill({ json: old }) : route.fallback(),
    );
    page.on("request", (request) => {
      if (request.method() === "PUT") isBehind = false;
    });
    await theirs.getByRole("textbox", { name: "Subject" }).fill("Theirs, {artist}");
    await theirs.getByRole("button", { name: "Save Changes" }).click();
    await expect(theirs.getByRole("button", { name: "Save Changes" })).toBeHidden();
    await mine.getByRole("button", { name: "Save Changes" }).click();
    await expect(mine.getByText("Theirs, {artist}")).toBeVisible();
    await mine.getByRole("button", { name: "Save Mine Over It" }).click();
    await expect(mine.getByText("Theirs, {artist}")).toBeHidden();
    await mine.getByRole("textbox", { name: "Text" }).fill("Dear {name}");
    await mine.getByRole("button", { name: "Save Changes" }).click();
    await expect(
      mine.getByText("In braces there can be {artist}, {file} and {label} alone"),
    ).toBeVisible();
  });
});
