import type { Page } from "@playwright/test";
import { letterTo } from "../mails.ts";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import { CONFIRM, makeUp, type Person, passwordOf, register } from "./person.ts";

async function fill(page: Page, person: Partial<Person>): Promise<void> {
  const form = page.getByRole("form", { name: "Sign up" });
  if (person.email) await form.getByLabel("Email").fill(person.email);
  if (person.username) await form.getByLabel("Username").fill(person.username);
  if (person.password) await passwordOf(form).fill(person.password);
}

const submitOf = (page: Page) => page.getByRole("form").locator("button[type=submit]");

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
  // The page masks the address once it has been reloaded.
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
