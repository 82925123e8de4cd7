import type { Page } from "@playwright/test";
import { lettersTo, letterTo } from "../mails.ts";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import { CONFIRM, makeUp, type Person, passwordOf, register } from "./person.ts";

const EXISTS = "An account with this email already exists. Try logging in instead.";

async function fill(page: Page, person: Partial<Person>): Promise<void> {
  const form = page.getByRole("form", { name: "Sign up" });
  if (person.email) await form.getByLabel("Email").fill(person.email);
  if (person.username) await form.getByLabel("Username").fill(person.username);
  if (person.password) await passwordOf(form).fill(person.password);
}

const submitOf = (page: Page) => page.getByRole("form").locator("button[type=submit]");

/** The paths of the calls this page makes to sign up. */
function signUpsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/auth/sign-up") calls.push(pathname);
  });
  return calls;
}

test("input that breaks a rule is stopped in the form, without call and without wait", async ({
  page,
  site,
}) => {
  const calls = signUpsOf(page);
  await page.goto("/signup");
  await expect(page.getByText("Minimum 6 characters required")).toBeVisible();
  await submitOf(page).click();
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(passwordOf(page)).toHaveAttribute("aria-invalid", "true");
  await fill(page, { ...makeUp(site), email: "nowhere", password: "12345" });
  await submitOf(page).click();
  await expect(page.getByText(/^Please enter a valid email address\.?$/)).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "6 characters" })).toBeVisible();
  await expect(submitOf(page)).toBeEnabled();
  expect(calls).toEqual([]);
});

test("after a sign-up the page says to check the inbox, resends, and stays so over a reload until Sign Up Again", async ({
  page,
  site,
}) => {
  const person = makeUp(site);
  await page.clock.install();
  await page.goto("/signup");
  await fill(page, { email: person.email, password: person.password });
  await submitOf(page).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/check your inbox/i);
  await expect(page).toHaveURL("/signup");
  await expectAccessible(page);
  await letterTo(site, person.email, CONFIRM);

  await page.getByRole("button", { name: "Resend Confirmation" }).click();
  const waiting = page.getByRole("button", { name: /^Resend in/ });
  await expect(waiting).toBeDisabled();
  const second = await letterTo(site, person.email, CONFIRM, 2);

  await page.reload();
  await expect(heading).toHaveText(/check your inbox/i);
  // Whoever looks at it later is not told the whole address.
  await expect(page.getByRole("main")).toContainText(/l\*\*\*@example\.org/);
  await expect(page.getByRole("main")).not.toContainText(person.email);
  await expect(waiting).toBeDisabled();
  await page.clock.fastForward(290_000);
  await expect(waiting).toBeDisabled();
  await page.clock.fastForward(10_000);
  await expect(page.getByRole("button", { name: "Resend Confirmation" })).toBeEnabled();

  await page.getByRole("button", { name: "Sign Up Again" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("");
  await expect(submitOf(page)).toBeEnabled();
  await page.reload();
  await expect(heading).toHaveText(/sign up/i);

  // The name is made from the address, and the link of either mail confirms.
  await page.goto(second.link("signup"));
  await page.clock.fastForward(2_000);
  await expect(page).toHaveURL("/auth/welcome");
  await expect(page.getByText(/Welcome, listener-/)).toBeVisible();
});

test.describe("what the service refuses", () => {
  test.use({ expectedMessages: REFUSED });

  test("is said in the form, and the button waits a minute, over a reload too", async ({
    page,
    site,
  }) => {
    const known = await register(site);
    await page.clock.install();
    await page.goto("/signup");
    await fill(page, { ...known, username: makeUp(site).username });
    await submitOf(page).click();
    await expect(page.getByText(EXISTS)).toBeVisible();
    await expect(submitOf(page)).toBeDisabled();
    await expect(submitOf(page)).toHaveText(/Try again in \d+s/);
    await page.reload();
    await expect(submitOf(page)).toBeDisabled();
    await expect(page.getByLabel("Email")).toHaveValue(known.email);
    await expect(passwordOf(page)).toHaveValue("");
    await page.clock.fastForward(61_000);
    await expect(submitOf(page)).toBeEnabled();
    expect(lettersTo(site, known.email)).toHaveLength(2);
  });

  test("counts five times an hour, then the page itself refuses", async ({ page, site }) => {
    const known = await register(site);
    const calls = signUpsOf(page);
    await page.clock.install();
    await page.goto("/signup");
    await fill(page, { ...known, username: "" });
    for (let submits = 1; submits <= 5; submits += 1) {
      await submitOf(page).click();
      await expect(submitOf(page)).toBeDisabled();
      await expect(page.getByText(EXISTS)).toBeVisible();
      await page.clock.fastForward(61_000);
      await expect(submitOf(page)).toBeEnabled();
    }
    await submitOf(page).click();
    await expect(
      page.getByText("Too many signup attempts. Please try again in an hour."),
    ).toBeVisible();
    expect(calls).toHaveLength(5);
  });

  test("by its own limit is said in minutes and waited for", async ({ page, site }) => {
    const known = await register(site);
    for (let submits = 1; submits <= 5; submits += 1) {
      const { email, password } = known;
      const answer = await page.request.post("/api/auth/sign-up", { data: { email, password } });
      expect(answer.status()).toBe(409);
    }
    await page.goto("/signup");
    await fill(page, makeUp(site));
    await submitOf(page).click();
    await expect(
      page.getByText(/^Too many requests\. Try again in (59|60) minutes\.$/),
    ).toBeVisible();
    await expect(submitOf(page)).toHaveText(/Try again in (59|60)m/);
  });
});
