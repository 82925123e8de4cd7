// The real program where a browser has no WebAssembly, and where the file of the rules does not arrive: a message, a
// confirmed address, an admin at work.
import type { Page } from "@playwright/test";
import { CONFIRM, expectToast, makeAdmin, makeUp, passwordOf, signUp } from "./accounts/person.ts";
import { editRow } from "./admin/dashboard.ts";
import { letterTo } from "./mails.ts";
import { expect, REFUSED, test } from "./test.ts";

const WAYS: Record<string, (page: Page) => Promise<unknown>> = {
  "WebAssembly is off": (page) =>
    page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly")),
  "the rules do not arrive": (page) => page.route(/\.wasm$/, (route) => route.abort()),
};

test.use({
  expectedMessages: new RegExp(
    `the rules could not be loaded|WebAssembly is not defined|net::ERR_FAILED|${REFUSED.source}`,
  ),
});

for (const [way, takeAway] of Object.entries(WAYS)) {
  test.describe(`where ${way}`, () => {
    test.beforeEach(({ page }) => takeAway(page));

    test("a message reaches the label once the server has nothing against it", async ({
      page,
      site,
    }) => {
      const { email } = makeUp(site);
      await page.goto("/contact");
      await page.getByLabel("Name", { exact: true }).fill("M");
      await page.getByLabel("Email", { exact: true }).fill(email);
      await page.getByLabel("Message", { exact: true }).fill("My copy never arrived.");
      await page.getByRole("button", { name: "SEND MESSAGE" }).click();
      const name = page.getByLabel("Name", { exact: true });
      await expect(name).toHaveAttribute("aria-invalid", "true");
      await expect(name).toHaveAccessibleDescription("Name must be at least 2 characters");
      await expect(name).toBeFocused();
      await name.fill("Mira");
      await page.getByRole("button", { name: "SEND MESSAGE" }).click();
      await expectToast(page, "Message Sent!");
      await expect(name).toHaveValue("");
    });

    test("an address is confirmed by its link", async ({ page, site }) => {
      const person = await signUp(site);
      const letter = await letterTo(site, person.email, CONFIRM);
      const { pathname, hash } = new URL(letter.link("signup"));
      await page.goto(pathname + hash);
      await page.getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByText("Email confirmed!")).toBeVisible();
    });

    test("an admin signs in, and edits a release", async ({ page, startSite }) => {
      const site = await startSite({ sample: true });
      const admin = makeAdmin(site);
      await page.goto(`${site.url}/admin/login`);
      await page.getByLabel("Email").fill(admin.email);
      await passwordOf(page).fill("a guess that is none");
      await page.getByRole("button", { name: "Sign In" }).click();
      await expect(page.getByText("Invalid username or password")).toBeVisible();
      await passwordOf(page).fill(admin.password);
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.getByRole("tab", { name: "Releases" }).click();
      const row = page.getByRole("article").first();
      const title = (await row.getAttribute("aria-label")) ?? "";
      const dialog = await editRow(page, title);
      await dialog.getByLabel("Title").fill("");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByLabel("Title")).toHaveAccessibleDescription("Title is required");
      await dialog.getByLabel("Title").fill("Without A Rule");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expectToast(page, "Release updated successfully");
      await expect(page.getByRole("article", { name: "Without A Rule" })).toBeVisible();
    });
  });
}
