// The server, the connection or the machine goes away and comes back under open pages of signed-in people: they stay, with all
// that was typed.
import type { Page } from "@playwright/test";
import { register } from "../accounts/person.ts";
import type { Site } from "../site.ts";
import { CONNECTION_LOST, expect, test } from "../test.ts";
import { openDashboard } from "./dashboard.ts";

test.use({ expectedMessages: CONNECTION_LOST });

const LOST = "CONNECTION LOST. RETRYING.";
const HALF_A_PASSWORD = "half a passw";
/** Reconnects follow after 1, 2, 5 and 10 seconds. */
const RECONNECTED = { timeout: 20_000 };

/** A member's profile, with a new password that is not typed to its end. */
async function openHalfTypedProfile(page: Page, site: Site) {
  const person = await register(site);
  const answer = await page.request.post(`${site.url}/api/auth/sign-in`, {
    data: { identifier: person.email, password: person.password },
  });
  await expect(answer, await answer.text()).toBeOK();
  await page.goto(`${site.url}/profile`);
  await page.getByLabel("New Password").fill(HALF_A_PASSWORD);
}

async function expectHalfTypedProfile(page: Page, site: Site) {
  expect(page.url()).toBe(`${site.url}/profile`);
  await expect(page.getByLabel("New Password")).toHaveValue(HALF_A_PASSWORD);
}

test("a half-typed release outlives a restart, and is saved after it", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "releases");
  await page.getByRole("button", { name: "Add Release" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Release" });
  await dialog.getByLabel("Title").fill("Typed Through The Night");
  await site.stop();
  await expect(page.getByText(LOST)).toBeAttached();
  await dialog.getByLabel("Description").fill("Half of it typed while nobody answers.");
  // Coming back to the window asks for the session again.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await site.start();
  await expect(page.getByText(LOST)).toBeHidden(RECONNECTED);
  expect(page.url()).toBe(`${site.url}/admin?tab=releases`);
  await expect(dialog.getByLabel("Title")).toHaveValue("Typed Through The Night");
  await dialog.getByLabel(/Release date/i).fill("2026-11-20");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("article", { name: "Typed Through The Night" })).toBeVisible();
});

test("a member stays on the profile through a restart, with a half-typed password", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openHalfTypedProfile(page, site);
  await site.stop();
  await expect(page.getByText(LOST)).toBeVisible();
  await site.start();
  await expect(page.getByText(LOST)).toBeHidden(RECONNECTED);
  await expectHalfTypedProfile(page, site);
});

/** The machine sleeps for an hour, and wakes without a line, which comes back later. */
async function sleepWithoutLine(page: Page) {
  await page.context().setOffline(true);
  await page.clock.fastForward("01:00:00");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText(LOST)).toBeAttached(RECONNECTED);
  await page.context().setOffline(false);
  await expect(page.getByText(LOST)).toBeHidden(RECONNECTED);
}

test("a half-typed release outlives a cut line and a sleep", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  await page.clock.install();
  await openDashboard(page, site, "releases");
  // A read under way would time out in the sleep.
  const artists = page.waitForResponse(/\/api\/admin\/artist-choices/);
  await page.getByRole("button", { name: "Add Release" }).click();
  const dialog = page.getByRole("dialog", { name: "Add New Release" });
  await dialog.getByLabel("Title").fill("Typed Before The Tunnel");
  await (await artists).finished();
  await sleepWithoutLine(page);
  expect(page.url()).toBe(`${site.url}/admin?tab=releases`);
  await expect(dialog.getByLabel("Title")).toHaveValue("Typed Before The Tunnel");
});

test("a member stays on the profile through a cut line and a sleep", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await page.clock.install();
  await openHalfTypedProfile(page, site);
  // A read under way would time out in the sleep.
  await expect(page.getByText("THIS BROWSER")).toBeVisible();
  await sleepWithoutLine(page);
  await expectHalfTypedProfile(page, site);
});
