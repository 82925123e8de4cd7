// Mailed links in browsers that did not ask for them: opening spends nothing.
import { letterTo } from "../mails.ts";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import {
  CONFIRM,
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
} from "./person.ts";

/** How many changing calls a page makes but for looking at its link. */
function spendingCalls(page: import("@playwright/test").Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname !== "/api/auth/link") calls.push(pathname);
  });
  return calls;
}

test("a sign-up is confirmed by a key elsewhere, and the page that waits for it hears of it", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = makeUp(site);
  await page.goto("/signup");
  await page.getByLabel("Email").fill(person.email);
  await passwordOf(page).fill(person.password);
  await page.getByRole("button", { name: "Sign Up", exact: true }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("CHECK YOUR INBOX");
  const letter = await letterTo(site, person.email, CONFIRM);

  const phone = await openBrowser();
  const calls = spendingCalls(phone);
  await phone.goto(letter.link("signup"));
  await expect(phone).toHaveURL("/auth/callback");
  await expect(phone.getByRole("main")).toContainText("l***@example.org");
  const key = phone.getByRole("button", { name: "Confirm", exact: true });
  await expect(key).toBeVisible();
  await expectAccessible(phone);
  expect(calls).toEqual([]);
  const early = await phone.request.post("/api/auth/sign-in", {
    data: { identifier: person.email, password: person.password },
  });
  expect((await early.json()).code, "opened by a robot, nothing is confirmed").toBe(
    "email_not_confirmed",
  );
  await expect(heading).toHaveText("CHECK YOUR INBOX");

  await key.click();
  await expect(phone.getByText("Email confirmed!")).toBeVisible();
  await expectSignedOut(phone);
  await expect(heading).toHaveText("EMAIL CONFIRMED");
  await expect(page.getByRole("main")).not.toContainText(person.email);
  await expectSignedOut(page);
  await expectAccessible(page);

  await phone.getByRole("main").getByRole("button", { name: "LOGIN" }).click();
  const dialog = phone.getByRole("dialog", { name: "TERMINAL ACCESS" });
  await logIn(dialog, person.email, person.password);
  await expectSignedIn(phone);
  await page.reload();
  await expect(heading).toHaveText("SIGN UP");
});

test.describe("a reset link", () => {
  test.use({ expectedMessages: REFUSED });

  test("is not spent by opening it, asks whoever is signed in, and then says what it does", async ({
    page,
    site,
    openBrowser,
  }) => {
    const person = await register(site);
    const other = await register(site);
    await page.goto("/");
    const dialog = await openDialog(page);
    await dialog.getByLabel("Email or username").fill(person.email);
    await dialog.getByRole("button", { name: "Forgot password?" }).click();
    const letter = await letterTo(site, person.email, /set a new password/);

    const robot = await openBrowser();
    const calls = spendingCalls(robot);
    await robot.goto(letter.link("recovery"));
    await expect(robot.getByRole("button", { name: "Set a new password" })).toBeVisible();
    await expectSignedOut(robot);
    expect(calls).toEqual([]);

    const visitor = await openBrowser();
    await signIn(visitor, other);
    await visitor.goto(letter.link("recovery"));
    const main = visitor.getByRole("main");
    await expect(main).toContainText(`You are signed in here as ${other.email}.`);
    await expect(main).toContainText("l***@example.org");
    await expectAccessible(visitor);
    await visitor.goto("/profile");
    await expect(section(visitor, "IDENTITY")).toContainText(other.email);

    // The browser that asked goes on at once.
    await page.goto(letter.link("recovery"));
    const form = section(page, "PASSWORD");
    const password = makeUpPassword(site);
    await form.getByLabel("New Password").fill(password);
    await form.getByLabel("Confirm Password").fill(password);
    await form.getByRole("button", { name: "Update Password" }).click();
    await expectToast(page, "PASSWORD UPDATED");
    await expect(form).not.toContainText("Choose the new password now");

    await robot.getByRole("button", { name: "Set a new password" }).click();
    await expect(robot).toHaveURL("/");
    await expectToast(
      robot,
      "This reset link has expired, was used, or has a newer one. Ask for a new one at the login.",
    );
  });
});

test("a new address is used by a key elsewhere, and a waiting one is called off", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  const [first, second] = [makeUp(site).email, makeUp(site).email];
  await signIn(page, person);
  await page.request.post("/api/auth/email-change", { data: { email: first } });
  await page.goto("/profile");
  const waiting = section(page, "EMAIL CONFIGURATION");
  await expect(waiting).toContainText(first);
  await waiting.getByRole("button", { name: "Call off" }).click();
  await expectToast(page, "EMAIL UPDATE CALLED OFF");
  await expect(waiting).not.toContainText(first);

  await page.request.post("/api/auth/email-change", { data: { email: second } });
  const letter = await letterTo(site, second, /confirm your new email address/);
  const phone = await openBrowser();
  const calls = spendingCalls(phone);
  await phone.goto(letter.link("email_change"));
  const key = phone.getByRole("button", { name: "Use this address" });
  await expect(key).toBeVisible();
  await expectAccessible(phone);
  expect(calls).toEqual([]);
  await key.click();
  await expect(phone.getByText(`Your account has the address ${second} now.`)).toBeVisible();
  await expectSignedOut(phone);
  // The new address is another way into the account, so every earlier session has ended.
  await page.reload();
  await expect(page).toHaveURL("/");
  await expectSignedOut(page);
  await signIn(page, { ...person, email: second });
  await page.goto("/profile");
  await expect(section(page, "IDENTITY")).toContainText(second);
});
