import type { Locator, Page } from "@playwright/test";
import { Authenticator } from "../authenticator.ts";
import { letterTo } from "../mails.ts";
import type { Site } from "../site.ts";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import {
  enableFactor,
  expectSignedIn,
  expectSignedOut,
  expectToast,
  logIn,
  openDialog,
  type Person,
  passwordOf,
  register,
  section,
  signIn,
} from "./person.ts";

test.use({ expectedMessages: REFUSED });

/** Registers a person with a second factor who is signed in nowhere. */
async function withFactor(site: Site, openBrowser: () => Promise<Page>) {
  const person = await register(site);
  const browser = await openBrowser();
  await signIn(browser, person);
  return { person, ...(await enableFactor(site, browser)) };
}

/** The dialog in its second step. */
async function reachSecondStep(page: Page, person: Person): Promise<Locator> {
  const dialog = await openDialog(page);
  await logIn(dialog, person.username, person.password);
  await expect(dialog.getByRole("heading", { name: "Two-Factor Authentication" })).toBeVisible();
  return dialog;
}

async function enter(dialog: Locator, code: string): Promise<void> {
  await dialog.getByLabel("Verification code").fill(code);
  await dialog.getByRole("button", { name: "Verify", exact: true }).click();
}

test("a member enables it by the manual key, keeps the recovery codes, and signs in with a code from then on", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  await signIn(page, person);
  await page.goto("/profile");
  const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
  await expect(factor).toContainText("Disabled");
  await factor.getByRole("button", { name: "Enable MFA" }).click();
  await expect(factor.getByText("Scan the code with your authenticator app")).toBeFocused();
  await expect(factor.getByRole("img", { name: /QR code/ })).toBeVisible();
  const key = await factor.locator("code").innerText();
  const authenticator = new Authenticator(key);
  site.keepSecret(key, key.replaceAll(" ", ""));

  const enable = factor.getByRole("button", { name: "Verify and enable" });
  const digits = factor.getByLabel("6-digit code");
  await digits.fill("12345");
  await expect(enable).toBeDisabled();
  await digits.press("Enter");
  await expect(factor.getByText("Please enter a 6-digit code")).toBeVisible();
  await digits.fill(await authenticator.next());
  await enable.click();
  await expectToast(page, "MFA Enabled");
  const codes = await factor.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  site.keepSecret(...codes);
  await expectAccessible(page);
  await factor.getByLabel("I have kept these codes").check();
  await factor.getByRole("button", { name: "Done" }).click();
  await expect(factor).toContainText("Enabled");
  await page.reload();
  await expect(factor).toContainText("Enabled");
  await expect(page.getByText(codes[0] as string)).toHaveCount(0);
  await letterTo(site, person.email, /two-factor authentication is on/);

  const elsewhere = await openBrowser();
  await elsewhere.goto("/releases");
  const dialog = await reachSecondStep(elsewhere, person);
  await expectAccessible(elsewhere);
  const code = await authenticator.next();
  // As a person reads it off the phone, or pastes it.
  await enter(dialog, `${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(dialog.getByText("Verification successful!")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectSignedIn(elsewhere);
  await elsewhere.goto("/profile");
  await expect(section(elsewhere, "IDENTITY")).toContainText(person.username);
});

test("cancelling signs out and says so, and so does closing the dialog", async ({
  page,
  site,
  openBrowser,
}) => {
  const { person } = await withFactor(site, openBrowser);
  await page.goto("/");
  const dialog = await reachSecondStep(page, person);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByText("MFA verification cancelled")).toBeVisible();
  await expect(dialog.getByLabel("Email or username")).toHaveValue("");
  const session = async () => (await page.request.get("/api/auth/session")).json();
  await expect.poll(async () => (await session()).user).toBeNull();

  await logIn(dialog, person.email, person.password);
  await expect(dialog.getByRole("heading", { name: "Two-Factor Authentication" })).toBeVisible();
  await dialog.getByRole("button", { name: "CLOSE" }).click();
  await expect(dialog.getByText("MFA verification cancelled")).toBeVisible();
  await expect.poll(async () => (await session()).user).toBeNull();
  await dialog.getByRole("button", { name: "CLOSE" }).click();
  await expectSignedOut(page);
});

test("half a sign-in opens nothing, and the profile asks for the code", async ({
  page,
  site,
  openBrowser,
}) => {
  const { person, authenticator } = await withFactor(site, openBrowser);
  await signIn(page, person);
  for (const path of ["/api/profile", "/api/auth/sessions"]) {
    expect((await page.request.get(path)).status(), path).toBe(403);
  }
  await page.goto("/profile");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Two-Factor Authentication" })).toBeVisible();
  await expect(section(page, "IDENTITY")).toHaveCount(0);
  await enter(main, await authenticator.next());
  await expect(section(page, "IDENTITY")).toContainText(person.username);
});

test("each wrong code has its text, and the sixth is not looked at", async ({
  page,
  site,
  openBrowser,
}) => {
  const { person, authenticator } = await withFactor(site, openBrowser);
  await page.goto("/");
  const dialog = await reachSecondStep(page, person);
  await enter(dialog, "12a34");
  await expect(dialog.getByText("Please enter a 6-digit code")).toBeVisible();
  await expect(dialog.getByLabel("Verification code")).toHaveValue("1234");
  const INVALID = "That code doesn't look right. Please check and try again.";
  for (const [code, text] of [
    [authenticator.spent(), INVALID],
    [
      authenticator.codeOf(-5),
      "That code has expired. Open your authenticator app for a fresh code.",
    ],
    [
      authenticator.codeOf(5),
      "Your device time appears off. Sync your phone's clock automatically and try again.",
    ],
    [authenticator.spent(), INVALID],
    [
      authenticator.codeOf(-6),
      "That code has expired. Open your authenticator app for a fresh code.",
    ],
  ] as const) {
    await enter(dialog, code);
    await expect(dialog.getByText(text)).toBeVisible();
  }
  await enter(dialog, await authenticator.next());
  await expect(
    dialog.getByText(/^Too many attempts\. Please wait (a few|\d+) minutes and try again\.$/),
  ).toBeVisible();
});

test("without the phone a mailed code opens the account, once and right", async ({
  page,
  site,
  openBrowser,
}) => {
  const { person, authenticator } = await withFactor(site, openBrowser);
  await page.goto("/");
  const dialog = await reachSecondStep(page, person);
  await dialog.getByRole("button", { name: "Can't access your authenticator app?" }).click();
  await expectToast(page, "RECOVERY CODE SENT");
  const letter = await letterTo(site, person.email, /your email code/);
  site.keepSecret(letter.code);
  await expectAccessible(page);
  await expect(dialog.getByRole("button", { name: /^Resend code/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  const verify = async (code: string) => {
    await dialog.getByLabel("Recovery code").fill(code);
    await dialog.getByRole("button", { name: "Verify code" }).click();
  };
  await verify("1234567");
  await expect(dialog.getByText("Please enter the 8-digit recovery code")).toBeVisible();
  await verify(letter.code === "12345678" ? "87654321" : "12345678");
  await expect(dialog.getByText("Invalid recovery code. Please try again.")).toBeVisible();
  await dialog.getByRole("button", { name: /back/i }).click();
  await expect(dialog.getByLabel("Verification code")).toBeVisible();
  await expect(dialog.getByLabel("Recovery code")).toHaveCount(0);

  // A second one within the minute waits; the first one is still good.
  await dialog.getByRole("button", { name: "Can't access your authenticator app?" }).click();
  await expect(dialog.getByRole("button", { name: /^Resend code in \d+ s$/ })).toBeVisible();
  await verify(letter.code);
  await expect(dialog.getByText("Verification successful!")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectSignedIn(page);
  await letterTo(site, person.email, /email code was used/);

  // The factor stays on: the next sign-in asks again.
  const elsewhere = await openBrowser();
  await elsewhere.goto("/");
  await enter(await reachSecondStep(elsewhere, person), await authenticator.next());
  await expectSignedIn(elsewhere);
});

test("a recovery code opens the account once, and leads to another authenticator", async ({
  page,
  site,
  openBrowser,
}) => {
  const { person, recoveryCodes } = await withFactor(site, openBrowser);
  const code = recoveryCodes[0] as string;
  const recover = async (browser: Page) => {
    await browser.goto("/");
    const dialog = await reachSecondStep(browser, person);
    await dialog.getByRole("button", { name: "Can't access your authenticator app?" }).click();
    await dialog
      .getByRole("button", { name: "I have a code" })
      .or(dialog.getByLabel("Recovery code"))
      .first()
      .click();
    await dialog.getByLabel("Recovery code").fill(code.toLowerCase());
    await dialog.getByRole("button", { name: "Verify code" }).click();
    return dialog;
  };
  await expect(await recover(page)).toBeHidden();
  await page.goto("/profile");
  await expect(section(page, "MULTI-FACTOR AUTHENTICATION")).toContainText("9");
  const second = await recover(await openBrowser());
  await expect(second.getByText("Invalid recovery code. Please try again.")).toBeVisible();

  const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
  await factor.getByRole("button", { name: "Replace authenticator" }).click();
  const question = page.getByRole("dialog", { name: "CONFIRM PASSWORD" });
  await passwordOf(question).fill(person.password);
  await question.getByRole("button", { name: "Confirm" }).click();
  const key = (await factor.locator("code").innerText()).replaceAll(" ", "");
  site.keepSecret(key);
  await expectAccessible(page);
  const phone = new Authenticator(key);
  await factor.getByLabel("6-digit code").fill(await phone.next());
  await factor.getByRole("button", { name: "Verify and replace" }).click();
  await expect(factor.getByText("Your recovery codes")).toBeVisible();
  site.keepSecret(...(await factor.getByRole("listitem").allInnerTexts()));
  // The codes are not confirmed as kept yet, so leaving the page asks first.
  await page.getByRole("link", { name: "STORE" }).first().click();
  await page.getByRole("button", { name: "Keep Editing" }).click();
  await factor.getByLabel("I have kept these codes").check();
  await factor.getByRole("button", { name: "Done" }).click();
  await letterTo(site, person.email, /your authenticator was replaced/);
  const third = await openBrowser();
  await third.goto("/");
  await enter(await reachSecondStep(third, person), await phone.next());
  await expectSignedIn(third);
});

test("a new email address and disabling both ask for a code", async ({ page, site }) => {
  const person = await register(site);
  await signIn(page, person);
  const { authenticator } = await enableFactor(site, page);
  await page.goto("/profile");
  const identity = section(page, "IDENTITY");
  await identity.getByRole("button", { name: "Edit email" }).click();
  const email = `moved-${person.email}`;
  site.keepSecret(email);
  await identity.getByLabel("Email").fill(email);
  await identity.getByRole("button", { name: "Save" }).click();
  const question = page.getByRole("dialog").filter({ hasText: "Two-Factor Authentication" });
  await enter(question, await authenticator.next());
  await expectToast(page, "EMAIL UPDATE INITIATED");
  await letterTo(site, email, /confirm your new email address/);

  const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
  await factor.getByRole("button", { name: "Disable MFA" }).click();
  const disable = factor.getByRole("button", { name: "Disable MFA" });
  await expect(disable).toBeDisabled();
  await factor.getByLabel("6-digit code").fill(authenticator.spent());
  await disable.click();
  await expect(
    factor.getByText("That code doesn't look right. Please check and try again."),
  ).toBeVisible();
  await factor.getByRole("button", { name: "Cancel" }).click();
  await expect(factor).toContainText("Enabled");
});

test("disabling it takes one code, and the password alone signs in again", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  await signIn(page, person);
  const { authenticator } = await enableFactor(site, page);
  await page.goto("/profile");
  const factor = section(page, "MULTI-FACTOR AUTHENTICATION");
  await factor.getByRole("button", { name: "Disable MFA" }).click();
  await factor.getByLabel("6-digit code").fill(await authenticator.next());
  await factor.getByRole("button", { name: "Disable MFA" }).click();
  await expectToast(page, "MFA Disabled");
  await expect(factor).toContainText("Disabled");
  await letterTo(site, person.email, /two-factor authentication is off/);

  const elsewhere = await openBrowser();
  await elsewhere.goto("/");
  const dialog = await openDialog(elsewhere);
  await logIn(dialog, person.email, person.password);
  await expect(dialog).toBeHidden();
  await expectSignedIn(elsewhere);
});
