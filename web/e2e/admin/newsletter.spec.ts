import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { letterTo } from "../mails.ts";
import { WIDTHS } from "../routes.ts";
import type { Site } from "../site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "../test.ts";
import { AT_ONCE, openDashboard } from "./dashboard.ts";

function someAddress(site: Site): string {
  const address = `listener-${randomBytes(6).toString("hex")}@example.org`;
  site.keepSecret(address);
  return address;
}

async function subscribe(visitor: Page, address: string): Promise<void> {
  await visitor.getByLabel("EMAIL").fill(address);
  await visitor.keyboard.press("Enter");
  await expectToast(visitor, "Transmission successful");
}

const active = (page: Page) => page.getByRole("definition");

test("a visitor's subscription is in the table at once, counted, found and exported", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const visitor = await openBrowser();
  await visitor.goto(site.url);
  await openDashboard(page, site, "newsletter");
  const key = page.getByRole("button", { name: "Export Emails" });
  await expect(page.getByText("No subscribers yet")).toBeVisible();
  await expect(active(page)).toHaveText("0");
  await expect(key).toBeDisabled();

  const first = someAddress(site);
  await subscribe(visitor, first);
  const table = page.getByRole("table", { name: "Newsletter subscriptions" });
  const today = await page.evaluate(() =>
    new Intl.DateTimeFormat("sv-SE").format(new Date()).replaceAll("-", "."),
  );
  const row = table.getByRole("row", { name: first });
  await expect(row).toBeVisible(AT_ONCE);
  await expect(row.getByRole("cell")).toHaveText(["Active", "Unconfirmed", today, "Remove"]);
  await expect(active(page)).toHaveText("1");

  const second = someAddress(site);
  await subscribe(visitor, second);
  // The head, and the newest above the others.
  await expect(table.getByRole("row")).toHaveCount(3, AT_ONCE);
  await expect(table.getByRole("row").nth(1)).toContainText(second);
  // An address that subscribes again is listed once.
  await subscribe(visitor, first.toUpperCase());
  await expect(active(page)).toHaveText("2");

  const coming = page.waitForEvent("download");
  await key.click();
  const file = await coming;
  const date = new Date().toISOString().slice(0, 10);
  expect(file.suggestedFilename()).toBe(`newsletter-emails-${date}.txt`);
  await expectToast(page, "Export complete");
  const lines = [first, second].sort().map((address) => `${address}\n`);
  expect(await readFile(await file.path(), "utf8")).toBe(lines.join(""));

  await page.getByRole("searchbox", { name: "Search emails" }).fill(second.slice(0, 20));
  await expect(row).toHaveCount(0);
  await expect(table.getByRole("row")).toHaveCount(2);
  await expect(active(page)).toHaveText("2");

  await page.getByRole("button", { name: `Remove ${second}` }).click();
  await expectToast(page, "Subscriber removed successfully");
  await expect(active(page)).toHaveText("1", AT_ONCE);
  await page.getByRole("searchbox", { name: "Search emails" }).fill("");
  await expect(row).toBeVisible();
  await expect(table.getByText(second)).toHaveCount(0);
});

test("earlier subscribers are asked, or vouched for with a sentence, and the table says so", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false, engine: "postgres" });
  const [asked, vouched] = [someAddress(site), someAddress(site)];
  for (const [nth, email] of [asked, vouched].entries()) {
    site.sql(
      `INSERT INTO newsletter_subscriptions (id, email, subscribed_at, created_at, updated_at)
       VALUES (gen_random_uuid(), '${email}', ${nth + 1}, 1, 1)`,
    );
  }
  await openDashboard(page, site, "newsletter");
  const consent = page.getByRole("region", { name: "Consent" });
  await expect(consent.getByRole("status")).toHaveText("0 confirmed, 0 vouched, 2 unconfirmed");
  await page.getByRole("checkbox", { name: `Choose ${asked}` }).check();
  await consent.getByRole("button", { name: "SEND CONFIRMATIONS TO 1 CHOSEN" }).click();
  await page.getByRole("button", { name: "SEND", exact: true }).click();
  await expectToast(page, "Confirmations queued");
  await letterTo(site, asked, /may we write to you/);
  await page.getByRole("checkbox", { name: `Choose ${vouched}` }).check();
  await consent.getByRole("checkbox", { name: "They agreed elsewhere" }).check();
  await consent.getByRole("textbox").fill("On paper, at the record fair.");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  await consent.getByRole("button", { name: "SAVE FOR 1 CHOSEN" }).click();
  await expectToast(page, "Consent noted");
  const row = page.getByRole("row", { name: vouched });
  await expect(row.getByRole("cell").nth(1)).toHaveText("Vouched", AT_ONCE);
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export Consent" }).click();
  const table = await readFile(await (await coming).path(), "utf8");
  expect(table).toContain("On paper, at the record fair.");
  expect(table).toContain(`${asked},true,,unconfirmed,`);
});

test("a long list is read on by scrolling, by wheel and by keyboard", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "newsletter");
  const rows = Array.from({ length: 120 }, (_, nth) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, nth)).toISOString();
    return `listener-${nth}@example.org,${at.slice(0, 19).replace("T", " ")}`;
  });
  const file = {
    name: "subscribed_email_audience_export_1.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Email Address,OPTIN_TIME", ...rows].join("\n")),
  };
  const answer = await page.request.post(`${site.url}/api/admin/newsletter/imports`, {
    multipart: { file },
  });
  await expect(answer, await answer.text()).toBeOK();
  const [newest, oldest] = [119, 0].map((nth) =>
    page.getByRole("row", { name: `listener-${nth}@example.org` }),
  ) as [Locator, Locator];
  const open = async () => {
    await page.reload();
    await expect(active(page)).toHaveText("120");
    await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "121");
    await expect(oldest).toHaveCount(0);
  };
  await open();
  await page.mouse.move(700, 600);
  await expect(async () => {
    await page.mouse.wheel(0, 4_000);
    await expect(oldest).toBeInViewport({ timeout: 200 });
  }).toPass();
  await page.keyboard.press("Home");
  // Letters and consent stand above the first row.
  await expect(page.getByRole("heading", { name: "Newsletter" })).toBeInViewport();
  await newest.scrollIntoViewIfNeeded();

  await open();
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(oldest).toBeInViewport({ timeout: 200 });
  }).toPass();
});

test.describe("that fails", () => {
  test.use({ expectedMessages: /status of 500|^Reading .* failed/ });

  test("says so, at its place and in a toast, and is tried again", async ({ page, startSite }) => {
    const site = await startSite({ sample: false });
    const broken = { status: 500, json: { code: "internal", status: 500, title: "Broken" } };
    await page.route(/\/api\/admin\/newsletter(\?|\/)/, (route) => route.fulfill(broken));
    await openDashboard(page, site, "newsletter");
    const failure = page.getByRole("tabpanel").getByRole("alert");
    await expect(failure).toContainText("Failed to load newsletter subscriptions.");
    await page.unrouteAll();
    await failure.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByText("No subscribers yet")).toBeVisible();
  });
});
