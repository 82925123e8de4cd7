// The links of newsletters: confirming a subscription, leaving, and coming back, with scripts and without.
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { letterTo } from "./mails.ts";
import { OTHER_WIDTHS, WIDTHS } from "./routes.ts";
import type { Site } from "./site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, newClient, test } from "./test.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

/** Accessibility is checked by a script. */
async function expectLook(page: Page, hasScripts = true): Promise<void> {
  for (const width of [...WIDTHS, ...OTHER_WIDTHS]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  if (hasScripts) await expectAccessible(page);
}

/** Subscribes a new address; the addresses of the links in its confirmation and in letters to it. */
async function subscribe(page: Page, site: Site): Promise<{ confirm: string; leave: string }> {
  const email = `listener-${randomBytes(6).toString("hex")}@example.org`;
  site.keepSecret(email);
  const answer = await page.request.post(`${site.url}/api/newsletter`, {
    data: { subscriber_email: email },
    headers: newClient(),
  });
  await expect(answer).toBeOK();
  const letter = await letterTo(site, email, /may we write to you/);
  const confirm = /https?:\/\/\S+\/newsletter\/confirm\/([\w-]{43})/.exec(letter.text);
  const token = site.sql(
    `SELECT leave_token FROM newsletter_subscriptions WHERE email = '${email}'`,
  );
  if (!confirm?.[1]) throw new Error(`no link in:\n${letter.text}`);
  site.keepSecret(confirm[1]);
  site.keepSecret(token);
  return { confirm: confirm[0], leave: `${site.url}/newsletter/leave/${token}` };
}

function journey(hasScripts: boolean): void {
  test("a subscriber confirms, leaves and comes back", async ({ page, startSite }) => {
    const site = await startSite({ sample: false, engine: "postgres" });
    const links = await subscribe(page, site);

    await page.goto(links.confirm);
    await expect(heading(page, "CONFIRM YOUR ADDRESS")).toBeVisible();
    await expectLook(page, hasScripts);
    await press(page, "YES, WRITE TO ME");
    await expect(heading(page, "YOU ARE ON THE LIST.")).toBeVisible();
    await expectLook(page, hasScripts);
    await page.goto(links.confirm);
    await expect(heading(page, "YOU ARE ON THE LIST.")).toBeVisible();

    await page.goto(links.leave);
    await expect(heading(page, "LEAVE THE LIST?")).toBeVisible();
    await expectLook(page, hasScripts);
    await press(page, "LEAVE THE LIST");
    await expect(heading(page, "YOU ARE OFF THE LIST.")).toBeVisible();
    await expectLook(page, hasScripts);
    await press(page, "COME BACK");
    await expect(heading(page, "YOU ARE BACK ON THE LIST.")).toBeVisible();
    const state = site.sql("SELECT consent, active FROM newsletter_subscriptions");
    expect(state).toBe("confirmed|t");
  });
}

test.describe("with scripts", () => {
  journey(true);

  test("by keyboard", async ({ page, startSite }) => {
    const site = await startSite({ sample: false, engine: "postgres" });
    const { leave } = await subscribe(page, site);
    await page.goto(leave);
    await page.getByRole("button", { name: "LEAVE THE LIST" }).focus();
    await page.keyboard.press("Enter");
    await expect(heading(page, "YOU ARE OFF THE LIST.")).toBeVisible();
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  journey(false);
});

test.describe("a link that is not good", () => {
  test.use({ expectedMessages: /status of 404/ });

  test("says so and offers to subscribe", async ({ page }) => {
    await page.goto("/newsletter/confirm/nothing");
    await expect(heading(page, "NO LONGER GOOD")).toBeVisible();
    await expectLook(page);
    await page.getByRole("main").getByRole("link", { name: "Subscribe Again" }).click();
    await expect(page).toHaveURL("/");
  });
});
