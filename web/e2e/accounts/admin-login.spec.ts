import type { Page } from "@playwright/test";
import { expect, expectAccessible, REFUSED, test } from "../test.ts";
import { enableFactor, makeAdmin, type Person, passwordOf, register, signIn } from "./person.ts";

test.use({ expectedMessages: REFUSED });

const HINT =
  "Multiple failed attempts detected. Please verify your credentials and ensure you have admin access.";

async function submit(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await passwordOf(page).fill(password);
  await signInButton(page).click();
}

const signInButton = (page: Page) => page.getByRole("button", { name: "Sign In", exact: true });

/** The person of this browser's session, as the server knows it. */
async function whoIsHere(page: Page): Promise<object | null> {
  const session = await page.request.get("/api/auth/session");
  return (await session.json()).user;
}

test("an admin signs in, works, looks at the live site and signs out", async ({ page, site }) => {
  const admin = makeAdmin(site);
  await page.goto("/admin");
  await expect(page).toHaveURL("/admin/login");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Admin Login");
  await expect(page.getByText("Access the CMS dashboard")).toBeVisible();
  await signInButton(page).click();
  await expect(page.getByText("Please enter both email and password")).toBeVisible();
  await submit(page, { ...admin, email: "nowhere" });
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();

  await submit(page, { ...admin, email: `  ${admin.email.toUpperCase()} ` });
  await expect(page).toHaveURL("/admin");
  await expect(page.getByText("v1.3.0")).toBeVisible();
  await expect(page.getByText(admin.email)).toBeVisible();
  await page.getByRole("button", { name: "Live Site" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/releases");
  await page.getByRole("button", { name: "Admin Panel" }).click();
  await expect(page).toHaveURL("/admin");
  await page.goto("/admin/login");
  await expect(page).toHaveURL("/admin");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/admin/login");
  await page.goto("/");
  await expect(page.getByRole("button", { name: "LOGIN", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Admin Panel" })).toHaveCount(0);
});

test("a member who is no admin is refused and signed out, and it counts as a failure", async ({
  page,
  site,
}) => {
  const person = await register(site);
  await page.goto("/admin/login");
  for (let failures = 1; failures <= 3; failures += 1) {
    await submit(page, person);
    await expect(page.getByText("Access denied. Admin privileges required.")).toBeVisible();
    await expect(signInButton(page)).toBeEnabled();
    await passwordOf(page).fill("");
  }
  await expect(page.getByText(HINT)).toBeVisible();
  await expect(page).toHaveURL("/admin/login");
  await expect.poll(() => whoIsHere(page)).toBeNull();
});

test("an admin with a second factor gives it before /admin opens, and cancelling signs out", async ({
  page,
  site,
  openBrowser,
}) => {
  const admin = makeAdmin(site);
  const browser = await openBrowser();
  await signIn(browser, admin);
  const { authenticator } = await enableFactor(site, browser);

  await page.goto("/admin/login");
  await submit(page, admin);
  const step = page.getByRole("region", { name: "Two-Factor Authentication" });
  await expect(step).toBeVisible();
  await expect(page).toHaveURL("/admin/login");
  await expectAccessible(page);
  await step.getByRole("button", { name: "Cancel" }).click();
  await expect(signInButton(page)).toBeVisible();
  await expect.poll(() => whoIsHere(page)).toBeNull();

  await submit(page, admin);
  await expect(step).toBeVisible();
  // Half way in: the button is there, and it leads back to the step that is missing.
  await page.goto("/");
  await page.getByRole("button", { name: "Admin Panel" }).click();
  await expect(page).toHaveURL("/admin/login");
  await step.getByLabel("Verification code").fill(await authenticator.next());
  await step.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(page.getByText("Verification successful!")).toBeVisible();
  await expect(page).toHaveURL("/admin");
  await page.reload();
  await expect(page).toHaveURL("/admin");
});

test("the last admin cannot delete the account", async ({ page, startSite }) => {
  const site = await startSite({ sample: false });
  const admin = makeAdmin(site);
  const answer = await page.request.post(`${site.url}/api/auth/sign-in`, {
    data: { identifier: admin.email, password: admin.password },
  });
  await expect(answer).toBeOK();
  await page.goto(`${site.url}/profile`);
  await page.getByRole("button", { name: "Delete Account" }).click();
  await page.getByRole("button", { name: /delete my account/i }).click();
  await expect(page.getByText("TERMINATION FAILED").first()).toBeVisible();
  await expect(page.getByText("Could not delete account. Please try again.").first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "DANGER ZONE" })).toBeVisible();
});

test("a link into the dashboard leads there once its reader is signed in, and no further time", async ({
  page,
  site,
}) => {
  const admin = makeAdmin(site);
  const enter = async () => {
    await expect(page).toHaveURL("/admin/login");
    await page.getByLabel("Email").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.keyboard.press("Enter");
  };
  for (const address of ["/admin?tab=media", "/admin/demos"]) {
    await page.goto(address);
    await enter();
    // The desk names its demo.
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}`.startsWith(address));
    await page.getByRole("button", { name: "Sign Out" }).click();
    await enter();
    await expect(page).toHaveURL("/admin");
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL("/admin/login");
  }
});
