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
  signUp,
} from "./person.ts";

const GARBAGE = "/auth/callback#type=signup&token=garbage";

test("a visitor signs up in the dialog, confirms by the mailed link and is welcomed home", async ({
  page,
  site,
}) => {
  const person = makeUp(site);
  await page.clock.install();
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
  await page.clock.fastForward(2_000);
  await expect(page).toHaveURL("/auth/welcome");
  await expect(page.getByText(`Welcome, ${person.username}!`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Explore Releases" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Go To Home" })).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(page).toHaveURL("/");
  await expectSignedIn(page);

  await page.goto(letter.link("signup"));
  await expect(page.getByText(/already confirmed/i)).toBeVisible();
  await page.clock.fastForward(2_000);
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
});

test("the dialog's tabs stay where they are when its height changes", async ({ page }) => {
  await page.goto("/");
  const dialog = await openDialog(page);
  const tab = dialog.getByRole("tab", { name: "SIGN UP" });
  const before = await tab.boundingBox();
  await tab.click();
  await expect(dialog.getByLabel("Full Name")).toBeVisible();
  expect(await tab.boundingBox()).toEqual(before);
});

test("the link of another page opens the dialog, and Back closes it", async ({ page }) => {
  await page.goto("/signup");
  await page.getByRole("link", { name: /log in/i }).click();
  await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/signup");
  await openDialog(page);
});
