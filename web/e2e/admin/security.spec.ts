import type { Page } from "@playwright/test";
import { expectToast } from "../accounts/person.ts";
import { Authenticator } from "../authenticator.ts";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import { openDashboard } from "./dashboard.ts";

// What Chromium says of the code that was wrong on purpose.
test.use({ expectedMessages: REFUSED });

const entryOf = (page: Page, id: string) => page.locator(`li[aria-labelledby="${id}"]`);

test("an admin sets the second factor up, sees the checklist follow, and gives it up again", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await openDashboard(page, site, "security");
  const factor = page.getByRole("region", { name: "Two-Factor Authentication" });
  const list = page.getByRole("list", { name: "Security configuration" });
  await expect(list.getByRole("listitem")).toHaveCount(8);
  const entry = entryOf(page, "admin_two_factor");
  const without = await entry.innerText();
  await expect(entryOf(page, "login_limits")).toContainText("Info");
  await expect(entryOf(page, "login_limits")).toContainText("5 attempts per 15 minutes");

  await expect(factor).toContainText("Disabled");
  await factor.getByRole("button", { name: "Enable MFA" }).click();
  await expect(factor.getByRole("img", { name: /QR code/ })).toBeVisible();
  await expectAccessible(page);
  const key = await factor.locator("code").innerText();
  const authenticator = new Authenticator(key);
  site.keepSecret(key, key.replaceAll(" ", ""));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await factor.getByRole("button", { name: "Copy key" }).click();
  await expect(factor.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.replaceAll(" ", ""));

  const digits = factor.getByLabel("6-digit code");
  await digits.fill("12345");
  await expect(factor.getByRole("button", { name: "Verify and enable" })).toBeDisabled();
  await digits.press("Enter");
  await expect(factor.getByText("Please enter a 6-digit code")).toBeVisible();
  await digits.fill(await authenticator.next());
  await digits.press("Enter");
  await expectToast(page, "MFA Enabled");
  await expect(entry).not.toHaveText(without, { useInnerText: true });
  const withIt = await entry.innerText();
  const codes = await factor.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  site.keepSecret(...codes);
  await factor.getByLabel("I have kept these codes").check();
  await factor.getByRole("button", { name: "Done" }).click();
  await expect(factor).toContainText("Enabled");
  // The session that set it up has shown it: the dashboard stays open, also over a reload.
  await page.reload();
  await expect(factor).toContainText("Enabled");
  await expect(entry).toHaveText(withIt, { useInnerText: true });

  await factor.getByRole("button", { name: "Disable MFA" }).click();
  await digits.fill(await authenticator.next());
  await digits.press("Enter");
  await expectToast(page, "MFA Disabled");
  await expect(factor).toContainText("Disabled");
  await expect(entry).toHaveText(without, { useInnerText: true });
});

test("the next sign-in of that admin goes through the second factor", async ({
  page,
  startSite,
  openBrowser,
}) => {
  const site = await startSite({ sample: false });
  const admin = await openDashboard(page, site, "security");
  const factor = page.getByRole("region", { name: "Two-Factor Authentication" });
  await factor.getByRole("button", { name: "Enable MFA" }).click();
  const key = await factor.locator("code").innerText();
  const authenticator = new Authenticator(key);
  await factor.getByLabel("6-digit code").fill(await authenticator.next());
  await factor.getByRole("button", { name: "Verify and enable" }).click();
  await expectToast(page, "MFA Enabled");

  const elsewhere = await openBrowser();
  await elsewhere.goto(`${site.url}/admin/login`);
  await elsewhere.getByLabel("Email").fill(admin.email);
  await elsewhere.getByLabel("Password", { exact: true }).fill(admin.password);
  await elsewhere.getByRole("button", { name: "Sign In" }).click();
  await elsewhere.getByLabel("Verification code").fill(await authenticator.next());
  await elsewhere.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(elsewhere.getByText(`Welcome, ${admin.email}`)).toBeVisible();
});
