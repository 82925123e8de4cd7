import { lettersTo, letterTo } from "../mails.ts";
import { expect, REFUSED, test } from "../test.ts";
import {
  CONFIRM,
  expectSignedIn,
  expectSignedOut,
  fillSignUp,
  makeUp,
  openDialog,
  openSignUp,
  passwordOf,
  register,
  signUp,
} from "./person.ts";

const GARBAGE = "/auth/callback#type=signup&token=garbage";

test("a visitor signs up in the dialog, confirms by the mailed link and is welcomed home", async ({
  page,
  site,
}) => {
  const person = makeUp(site);
  await page.goto("/releases");
  const dialog = await openSignUp(page);
  await fillSignUp(dialog, person);
  await dialog.getByRole("button", { name: "SIGN UP" }).click();
  await expect(page).toHaveURL("/auth/signup-success");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/check your inbox/i);
  await expect(page.getByRole("main")).toContainText(/spam/i);
  await expect(page.getByRole("main").getByRole("button", { name: "Return Home" })).toBeVisible();
  await expectSignedOut(page);

  const letter = await letterTo(site, person.email, CONFIRM);
  await page.goto(letter.link("signup"));
  await expect(page).toHaveURL("/auth/callback");
  await expect(page.getByRole("status").filter({ hasText: /confirmed/i })).toBeVisible();
  await expect(page).toHaveURL("/auth/welcome");
  await expect(page.getByText(`Welcome, ${person.username}!`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Explore Releases" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Go To Home" })).toBeVisible();
  await expect(page).toHaveURL("/");
  await expectSignedIn(page);

  await page.goto(letter.link("signup"));
  await expect(page.getByText(/already confirmed/i)).toBeVisible();
  await expect(page).toHaveURL("/");
  await expectSignedIn(page);
});

test.describe("a link that confirms nothing", () => {
  test.use({ expectedMessages: REFUSED });

  test("says so, keeps no token in the address and sends another mail by the browser's own prompt", async ({
    page,
    site,
  }) => {
    const person = await signUp(site);
    await page.goto(GARBAGE);
    await expect(page.getByText("Invalid confirmation link or expired token")).toBeVisible();
    await expect(page).toHaveURL("/auth/callback");
    await expect(page.getByRole("main").getByRole("button", { name: "Return Home" })).toBeVisible();

    const resend = page.getByRole("button", { name: "Resend Confirmation" });
    page.once("dialog", (prompt) => prompt.dismiss());
    await resend.click();
    expect(lettersTo(site, person.email)).toHaveLength(1);

    const said: string[] = [];
    page.on("dialog", async (dialog) => {
      said.push(dialog.type() === "alert" ? dialog.message() : dialog.type());
      await dialog.accept(dialog.type() === "prompt" ? person.email : undefined);
    });
    await resend.click();
    await expect.poll(() => said).toEqual(["prompt", "Confirmation email sent! Check your inbox."]);
    const second = await letterTo(site, person.email, CONFIRM, 2);
    await page.goto(second.link("signup"));
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page.getByText("You can log in now.")).toBeVisible();
  });

  test("shows the service's own words where the address carries some", async ({ page }) => {
    await page.goto("/auth/callback?error_description=Link+from+yesterday%3Cb%3E");
    await expect(page.getByText("Link from yesterday<b>")).toBeVisible();
    await expect(page).toHaveURL("/auth/callback");
  });

  test("is one that its owner made void", async ({ page, site }) => {
    const person = await signUp(site);
    const letter = await letterTo(site, person.email, CONFIRM);
    await page.goto(letter.link("not_me"));
    await page.getByRole("button", { name: "This was not me" }).click();
    await expect(page.getByRole("status").filter({ hasText: "void" })).toBeVisible();
    await page.goto(letter.link("signup"));
    await expect(page.getByText("Invalid confirmation link or expired token")).toBeVisible();
  });
});

test.describe("the dialog's sign-up", () => {
  test.use({ expectedMessages: REFUSED });

  test("needs every field, shows the password on demand and forgets all when closed", async ({
    page,
    site,
  }) => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    await page.goto("/");
    const dialog = await openSignUp(page);
    await dialog.getByRole("button", { name: "SIGN UP" }).click();
    for (const label of ["Full name", "Email", "Username", "Password"]) {
      await expect(dialog.getByLabel(label, { exact: true })).toHaveAttribute(
        "aria-invalid",
        "true",
      );
    }
    const person = makeUp(site);
    await fillSignUp(dialog, { ...person, email: "nowhere", password: "12345" });
    await expect(passwordOf(dialog)).toHaveAttribute("type", "password");
    await dialog.getByRole("button", { name: "SHOW PASSWORD" }).click();
    await expect(passwordOf(dialog)).toHaveAttribute("type", "text");
    await dialog.getByRole("button", { name: "SIGN UP" }).click();
    await expect(dialog.getByText("Password must be at least 6 characters long.")).toBeVisible();
    expect(sent).toEqual([]);

    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await openSignUp(page);
    await expect(dialog.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
    for (const label of ["Full name", "Email", "Username", "Password"]) {
      await expect(dialog.getByLabel(label, { exact: true })).toHaveValue("");
    }
  });

  test("says what the service refused", async ({ page, site }) => {
    const known = await register(site);
    await page.goto("/");
    const dialog = await openSignUp(page);
    await fillSignUp(dialog, { ...makeUp(site), email: known.email });
    await dialog.getByRole("button", { name: "SIGN UP" }).click();
    await expect(
      dialog.getByText(
        "REGISTRATION FAILED: An account with this email already exists. Try logging in instead.",
      ),
    ).toBeVisible();

    await fillSignUp(dialog, { ...makeUp(site), username: known.username.toUpperCase() });
    await dialog.getByRole("button", { name: "SIGN UP" }).click();
    await expect(
      dialog.getByText(
        "REGISTRATION FAILED: This username is already in use. Please choose another.",
      ),
    ).toBeVisible();
    // The owner of the account is told, and nothing else happened.
    await letterTo(site, known.email, /already have an account/);
  });
});

test("the link of another page opens the dialog, and Back closes it", async ({ page }) => {
  await page.goto("/signup");
  await page.getByRole("link", { name: /log in/i }).click();
  await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/signup");
  await openDialog(page);
});
