import { letterTo } from "../mails.ts";
import { makePng } from "../png.ts";
import { expect, REFUSED, test } from "../test.ts";
import {
  CONFIRM,
  expectSignedIn,
  expectSignedOut,
  expectToast,
  fillSignUp,
  logIn,
  makeUp,
  openDialog,
  openSignUp,
  passwordOf,
  register,
  section,
  signIn,
} from "./person.ts";

test.use({ expectedMessages: REFUSED });

test("a member sees who they are", async ({ page, site }) => {
  const person = await register(site);
  await signIn(page, person);
  await page.goto("/");
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("link", { name: "PROFILE" }).click();
  const identity = section(page, "IDENTITY");
  await expect(identity).toContainText(person.username);
  await expect(identity).toContainText(person.email);
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
  await expect(identity).toContainText(month.format());
});

test("the username changes to a good one that is free, and to no other", async ({ page, site }) => {
  const [person, other] = [await register(site), await register(site)];
  await signIn(page, person);
  await page.goto("/profile");
  const identity = section(page, "IDENTITY");
  await identity.getByRole("button", { name: "Edit username" }).click();
  const change = async (username: string) => {
    await identity.getByLabel("Username").fill(username);
    await identity.getByRole("button", { name: "Save" }).click();
  };
  for (const [username, text] of [
    ["ab", "Username must be at least 3 characters"],
    ["a".repeat(21), "Username must be less than 20 characters"],
    ["two words", "Username can only contain letters, numbers, underscores, and hyphens"],
    ["the_Admin", "Username contains inappropriate content"],
  ] as const) {
    await change(username);
    await expectToast(page, "VALIDATION ERROR");
    await expect(identity.getByText(text)).toBeVisible();
  }
  await change(other.username.toUpperCase());
  await expectToast(
    page,
    "USERNAME TAKEN",
    "This username is already in use. Please choose another.",
  );
  const { username } = makeUp(site);
  await change(username);
  await expectToast(page, "USERNAME UPDATED");
  await expect(identity.getByText(username)).toBeVisible();
  await page.reload();
  await expect(identity.getByText(username)).toBeVisible();

  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("button", { name: "LOGOUT" }).click();
  await logIn(await openDialog(page), username, person.password);
  await expectSignedIn(page);
});

test("an avatar is cut to a square, shown, and removed again", async ({ page, site }) => {
  await signIn(page, await register(site));
  await page.goto("/profile");
  const avatar = section(page, "AVATAR");
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    avatar.getByLabel("Avatar file").setInputFiles({ name, mimeType, buffer });

  await choose("dance.gif", "image/gif", Buffer.from("GIF89a"));
  await expectToast(
    page,
    "UPLOAD FAILED",
    "Invalid file type. Only JPG, PNG, and WebP are allowed.",
  );
  await choose("large.png", "image/png", Buffer.alloc(2 * 1_048_576 + 1));
  await expectToast(page, "File too large. Maximum size is 2MB.");

  await choose("wide.png", "image/png", makePng(900, 300));
  await expectToast(page, "AVATAR UPDATED");
  const shown = section(page, "IDENTITY").getByRole("img", { name: "Your avatar" });
  await expect(shown).toHaveAttribute("src", /\/media\/avatars\//);
  await expect
    .poll(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
    .toEqual([512, 512]);
  const address = (await shown.getAttribute("src")) ?? "";

  await avatar.getByRole("button", { name: "Remove Avatar" }).click();
  await expect(avatar.getByRole("button", { name: "Upload Avatar" })).toBeFocused();
  await expectToast(page, "AVATAR REMOVED");
  await expect(shown).toHaveCount(0);
  await expect(avatar.getByRole("button", { name: "Upload Avatar" })).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
});

test("a new email address counts once its link is opened, and the old one gets a notice", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  const { email } = makeUp(site);
  await signIn(page, person);
  await page.goto("/profile");
  const identity = section(page, "IDENTITY");
  await identity.getByRole("button", { name: "Edit email" }).click();
  await identity.getByLabel("Email").fill("nowhere");
  await identity.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "VALIDATION ERROR");
  await expect(identity.getByText("Please enter a valid email address")).toBeVisible();
  await identity.getByLabel("Email").fill(email.toUpperCase());
  await identity.getByRole("button", { name: "Save" }).click();
  await expectToast(
    page,
    "EMAIL UPDATE INITIATED",
    "Check your new email address for a confirmation link...",
  );
  await expect(identity).toContainText(person.email);
  await expect(section(page, "EMAIL CONFIGURATION")).toContainText(email);
  await letterTo(site, person.email, /your email address is about to change/);

  const letter = await letterTo(site, email, /confirm your new email address/);
  await page.goto(letter.link("email_change"));
  await expect(page).toHaveURL("/profile");
  await expect(identity).toContainText(email);
  await expect(page.getByRole("main")).not.toContainText(person.email);

  const elsewhere = await openBrowser();
  await elsewhere.goto("/");
  await logIn(await openDialog(elsewhere), email, person.password);
  await expectSignedIn(elsewhere);
});

test("an email change is stopped by the link in the notice to the old address", async ({
  page,
  site,
}) => {
  const person = await register(site);
  const { email } = makeUp(site);
  await signIn(page, person);
  const asked = await page.request.post("/api/auth/email-change", { data: { email } });
  await expect(asked).toBeOK();
  const letter = await letterTo(site, email, /confirm your new email address/);
  const notice = await letterTo(site, person.email, /about to change/);
  await page.goto(notice.link("email_change_cancel"));
  await page.getByRole("button", { name: "Keep my address" }).click();
  await expect(page.getByRole("status").filter({ hasText: "cancelled" })).toBeVisible();
  await page.goto(letter.link("email_change"));
  await expect(page).toHaveURL("/");
  const back = await letterTo(site, person.email, /set a new password/);
  await page.goto(back.link("recovery"));
  await page.getByRole("button", { name: "Set a new password" }).click();
  await expect(section(page, "IDENTITY")).toContainText(person.email);
});

test("a browser signs out another one, which then has no profile", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  const elsewhere = await openBrowser();
  await signIn(elsewhere, person);
  await elsewhere.goto("/profile");
  await expect(section(elsewhere, "IDENTITY")).toBeVisible();
  await signIn(page, person);
  await page.goto("/profile");
  const sessions = section(page, "SESSIONS").getByRole("listitem");
  await expect(sessions.first()).toBeVisible();
  const own = sessions.filter({ hasText: "THIS BROWSER" });
  await expect(own).toHaveCount(1);
  await expect(own).toContainText(/Chrom/);
  const others = sessions.filter({ hasNotText: "THIS BROWSER" });
  for (let left = await others.count(); left > 0; left -= 1) {
    await others
      .first()
      .getByRole("button", { name: /Sign out/ })
      .click();
    await expect(others).toHaveCount(left - 1);
  }
  await elsewhere.goto("/profile");
  await expect(elsewhere).toHaveURL("/");
  await expectSignedOut(elsewhere);
  await page.reload();
  await expect(own).toHaveCount(1);
});

test("an account is deleted in two steps, and its address may sign up again", async ({
  page,
  site,
  openBrowser,
}) => {
  const person = await register(site);
  await signIn(page, person);
  await page.goto("/profile");
  const danger = section(page, "DANGER ZONE");
  await danger.getByRole("button", { name: "Delete Account" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await danger.getByRole("button", { name: "Delete Account" }).click();
  await page.getByRole("button", { name: /delete my account/i }).click();
  await expectToast(page, "ACCOUNT TERMINATED");
  await expect(page).toHaveURL("/");
  await expectSignedOut(page);

  const dialog = await openDialog(page);
  await logIn(dialog, person.email, person.password);
  await expect(dialog.getByText("ACCESS DENIED: Invalid username or password")).toBeVisible();
  const fresh = await openBrowser();
  await fresh.goto("/");
  const again = await openSignUp(fresh);
  await fillSignUp(again, person);
  await again.getByRole("button", { name: "SIGN UP" }).click();
  await expect(fresh).toHaveURL("/auth/signup-success");
  const letter = await letterTo(site, person.email, CONFIRM, 2);
  await fresh.goto(letter.link("signup"));
  await expect(fresh).toHaveURL("/auth/welcome");
  await expectSignedIn(fresh);
});

test("a change that matters asks for the password when it was given long ago", async ({
  page,
  site,
}) => {
  const person = await register(site);
  await signIn(page, person);
  await page.goto("/profile");
  const danger = section(page, "DANGER ZONE");
  await danger.getByRole("button", { name: "Delete Account" }).click();
  // Ten minutes pass: what the server would say then.
  let refusals = 1;
  await page.route("**/api/auth/account", (route) => {
    if (refusals === 0) return route.fallback();
    refusals -= 1;
    return route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({ status: 403, code: "reauthentication_needed", detail: "" }),
    });
  });
  await page.getByRole("button", { name: /delete my account/i }).click();
  const question = page.getByRole("dialog", { name: "CONFIRM PASSWORD" });
  await passwordOf(question).fill(`${person.password}!`);
  await question.getByRole("button", { name: "Confirm" }).click();
  await expect(question.getByText("This is not the password of your account.")).toBeVisible();
  await passwordOf(question).fill(person.password);
  await question.getByRole("button", { name: "Confirm" }).click();
  await expectToast(page, "ACCOUNT TERMINATED");
  await expect(page).toHaveURL("/");
});
