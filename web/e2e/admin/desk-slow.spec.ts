// The desk on a slow line: what is pressed shows at once, and the letter follows it.
import { expect, test } from "../test.ts";
import { onDesk, openDesk, stored } from "./desk.ts";
import { sendDemo } from "./sentDemos.ts";

const ARTISTS = ["Kesto Vann", "Somatic Drift", "Null Meridian"] as const;
/** How long each change of the desk travels. */
const SLOW_MS = 800;

test("S, then R, then the next demo", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  for (const artist of ARTISTS) await sendDemo(site, { artist });
  await openDesk(page, site);
  await onDesk(page, ARTISTS[0]);
  await page.route("**/api/admin/desk/**", async (route) => {
    if (route.request().method() !== "GET") {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    }
    await route.continue();
  });
  const judgement = page.getByRole("region", { name: "Judgement" });
  const shortlist = judgement.getByRole("button", { name: "Shortlist" });
  await page.keyboard.press("Shift+Digit4");
  await page.keyboard.press("s");
  await page.keyboard.press("r");
  await expect(shortlist).toHaveAttribute("aria-pressed", "true", { timeout: 500 });
  await expect(page.getByRole("heading", { name: "Answer: Shortlisted" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await onDesk(page, ARTISTS[1]);
  await page.keyboard.press("Shift+Digit2");
  const score = judgement.getByRole("button", { name: "Score 2" });
  await expect(score).toHaveAttribute("aria-pressed", "true", { timeout: 500 });
  await expect(page.getByText(`Score 2, ${ARTISTS[1]}`)).toBeVisible();
  await expect
    .poll(async () => (await stored(page, site)).get(ARTISTS[0])?.state)
    .toBe("shortlisted");
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await expect(score).toHaveAttribute("aria-pressed", "false", { timeout: 500 });
  await expect.poll(async () => (await stored(page, site)).get(ARTISTS[0])?.state).toBe("heard");
  await expect.poll(async () => (await stored(page, site)).get(ARTISTS[1])?.state).toBe("new");
});
