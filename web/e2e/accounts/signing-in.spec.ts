import type { Page } from "@playwright/test";
import { lettersTo, letterTo } from "../mails.ts";
import { expect, REFUSED, test } from "../test.ts";
import {
  expectSignedIn,
  expectSignedOut,
  expectToast,
  logIn,
  makeUp,
  makeUpPassword,
  openDialog,
  passwordOf,
  register,
  section,
  signIn,
  signUp,
} from "./person.ts";

const DENIED = "ACCESS DENIED: Invalid username or password";

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("button", { name: "LOGOUT" }).click();
}

test("a member logs in by username and by email address, and LOGOUT leaves them where they are", async ({
  page,
  site,
}) => {
  const person = await register(site);
  await page.goto("/artists");
  for (const identifier of [person.username.toUpperCase(), person.email]) {
    const dialog = await openDialog(page);
    await logIn(dialog, identifier, person.password);
    await expect(dialog).toBeHidden();
    await expectSignedIn(page);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "sid");
    expect(cookie?.httpOnly).toBe(true);
    site.keepSecret(cookie?.value ?? "");

    await logOut(page);
    await expectSignedOut(page);
    await expect(page).toHaveURL("/artists");
    // A copy of the cookie opens nothing any more.
    const copy = { headers: { Cookie: `sid=${cookie?.value}` } };
    await expect
      .poll(async () => (await (await page.request.get("/api/auth/session", copy)).json()).user)
      .toBeNull();
  }
});

test("a member without a mouse logs in and out", async ({ page, site }) => {
  const person = await register(site);
  await page.goto("/");
  await page.getByRole("button", { name: "LOGIN", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await expect(dialog.getByLabel("Email or username")).toBeFocused();
  await page.keyboard.type(person.username);
  await page.keyboard.press("Tab");
  await expect(passwordOf(dialog)).toBeFocused();
  await page.keyboard.type(person.password);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(passwordOf(dialog)).toHaveAttribute("type", "text");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "LOG IN" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expectSignedIn(page);

  await page.getByRole("button", { name: "Account menu" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "PROFILE" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expectSignedOut(page);
});

test("the mobile menu has the ways in, and then PROFILE and LOGOUT", async ({ page, site }) => {
  const person = await register(site);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  const menu = page.getByRole("dialog", { name: "Menu" });
  await page.getByRole("button", { name: "MENU" }).click();
  await menu.getByRole("button", { name: "LOGIN" }).click();
  const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await logIn(dialog, person.username, person.password);
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "MENU" }).click();
  await menu.getByRole("link", { name: "PROFILE" }).click();
  await expect(page).toHaveURL("/profile");
  await page.getByRole("button", { name: "MENU" }).click();
  await menu.getByRole("button", { name: "LOGOUT" }).click();
  await expect(page).toHaveURL("/");
});

test.describe("a refusal", () => {
  test.use({ expectedMessages: REFUSED });

  test("reads the same for a wrong password, an unknown name and an unknown address", async ({
    page,
    site,
  }) => {
    const person = await register(site);
    await page.goto("/");
    const dialog = await openDialog(page);
    await dialog.getByRole("button", { name: "LOG IN" }).click();
    await expect(dialog.getByLabel("Email or username")).toHaveAttribute("aria-invalid", "true");
    await expect(passwordOf(dialog)).toHaveAttribute("aria-invalid", "true");
    const stranger = makeUp(site);
    for (const identifier of [person.email, person.username, stranger.username, stranger.email]) {
      await logIn(dialog, identifier, stranger.password);
      await expect(dialog.getByText(DENIED)).toBeVisible();
      await dialog.getByLabel("Email or username").fill("");
    }
    await dialog.getByRole("button", { name: "CLOSE" }).click();
    await openDialog(page);
    await expect(dialog.getByText(DENIED)).toHaveCount(0);
    await expect(passwordOf(dialog)).toHaveValue("");
  });

  test("of an address that is not confirmed says so to whoever knows the password", async ({
    page,
    site,
  }) => {
    const person = await signUp(site);
    await page.goto("/");
    const dialog = await openDialog(page);
    await logIn(dialog, person.email, person.password);
    await expect(dialog.getByText("ACCESS DENIED: Email not confirmed")).toBeVisible();
    await logIn(dialog, person.email, `${person.password}!`);
    await expect(dialog.getByText(DENIED)).toBeVisible();
  });
});

test.describe("a forgotten password", () => {
  test.use({ expectedMessages: REFUSED });

  test("is replaced by the mailed link, once, and every other browser is signed out", async ({
    page,
    site,
    openBrowser,
  }) => {
    const person = await register(site);
    const elsewhere = await openBrowser();
    await signIn(elsewhere, person);
    await elsewhere.goto("/profile");
    await expect(section(elsewhere, "IDENTITY")).toBeVisible();

    await page.goto("/");
    const dialog = await openDialog(page);
    const forgot = dialog.getByRole("button", { name: "Forgot password?" });
    await forgot.click();
    await expect(dialog.getByText("Please enter your email address first")).toBeVisible();
    await dialog.getByLabel("Email or username").fill(person.username);
    await forgot.click();
    await expect(dialog.getByText("Please enter your email address first")).toBeVisible();
    await dialog.getByLabel("Email or username").fill(person.email);
    await forgot.click();
    await expectToast(page, "PASSWORD RESET INITIATED", "Check your email for reset instructions");

    const letter = await letterTo(site, person.email, /set a new password/);
    await page.goto(letter.link("recovery"));
    await expect(page).toHaveURL("/profile");
    await expectSignedIn(page);
    const form = section(page, "PASSWORD");
    await expect(page.getByRole("main").getByRole("region").first()).toHaveAccessibleName(
      "PASSWORD",
    );
    const change = async (password: string, again: string) => {
      await form.getByLabel("New Password").fill(password);
      await form.getByLabel("Confirm Password").fill(again);
      await form.getByRole("button", { name: "Update Password" }).click();
    };
    await change("1234567", "12345678");
    await expectToast(page, "SECURITY ERROR", "Passwords do not match");
    await change("1234567", "1234567");
    await expectToast(page, "Password must be at least 8 characters");
    const password = makeUpPassword(site);
    await change(password, password);
    await expectToast(page, "PASSWORD UPDATED");
    await letterTo(site, person.email, /your password was changed/);

    await elsewhere.reload();
    await expect(elsewhere).toHaveURL("/");
    await expectSignedOut(elsewhere);
    const door = await openDialog(elsewhere);
    await logIn(door, person.email, person.password);
    await expect(door.getByText(DENIED)).toBeVisible();
    await logIn(door, person.email, password);
    await expectSignedIn(elsewhere);

    const third = await openBrowser();
    await third.goto(letter.link("recovery"));
    await expect(third).toHaveURL("/");
    await expectSignedOut(third);
  });

  test("of an address without an account is answered alike, and nobody gets mail", async ({
    page,
    site,
  }) => {
    const stranger = makeUp(site);
    await page.goto("/");
    const dialog = await openDialog(page);
    await dialog.getByLabel("Email or username").fill(stranger.email);
    await dialog.getByRole("button", { name: "Forgot password?" }).click();
    await expectToast(page, "PASSWORD RESET INITIATED", "Check your email for reset instructions");
    expect(lettersTo(site, stranger.email)).toHaveLength(0);
  });
});

test.describe("a session", () => {
  test.use({ expectedMessages: REFUSED });

  test("begins and ends in all tabs of a browser", async ({ page, site }) => {
    const person = await register(site);
    const tab = await page.context().newPage();
    await tab.goto("/releases");
    await expectSignedOut(tab);
    await page.goto("/");
    await logIn(await openDialog(page), person.username, person.password);
    await expectSignedIn(page);
    await expectSignedIn(tab);

    await tab.goto("/profile");
    await expect(section(tab, "IDENTITY")).toBeVisible();
    await logOut(page);
    await expectSignedOut(page);
    await expect(tab).toHaveURL("/");
    await expectSignedOut(tab);
  });

  test("that ended elsewhere says so and keeps what was typed until its person is back", async ({
    page,
    site,
    openBrowser,
  }) => {
    const person = await register(site);
    await signIn(page, person);
    await page.goto("/profile");
    await section(page, "IDENTITY").getByRole("button", { name: "Edit username" }).click();
    const field = section(page, "IDENTITY").getByLabel("Username");
    const { username } = makeUp(site);
    await field.fill(username);
    const elsewhere = await openBrowser();
    await signIn(elsewhere, person);
    const { items } = await (await elsewhere.request.get("/api/auth/sessions")).json();
    const other = items.find(({ current }: { current: boolean }) => !current);
    const ended = await elsewhere.request.delete(`/api/auth/sessions/${other.id}`);
    expect(ended.status()).toBe(204);

    // The live stream tells of the end by itself, over whatever is open.
    const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
    await expect(dialog.getByText("Session expired. Please sign in again.")).toBeVisible();
    await logIn(dialog, person.email, person.password);
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue(username);
    await page.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "USERNAME UPDATED");
  });
});

test("who signs in by the dialog is at the page's content, not before everything", async ({
  page,
  site,
}) => {
  const person = await register(site);
  await page.goto("/releases");
  const dialog = await openDialog(page);
  await dialog.getByLabel("Email or username").fill(person.email);
  await dialog.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
