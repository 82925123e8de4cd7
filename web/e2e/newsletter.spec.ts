import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectToast } from "./accounts/person.ts";
import { WIDTHS } from "./routes.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, REFUSED, test } from "./test.ts";

const field = (page: Page) => page.getByLabel("EMAIL");
const key = (page: Page) => page.getByRole("button", { name: "SUBSCRIBE" });

function someAddress(): string {
  return `listener-${randomBytes(6).toString("hex")}@example.org`;
}

async function subscribe(page: Page, address: string): Promise<void> {
  await field(page).fill(address);
  await page.keyboard.press("Enter");
}

for (const width of WIDTHS) {
  test(`a visitor subscribes by keyboard at ${width} px, and sees the same the second time`, async ({
    page,
    site,
    openBrowser,
  }) => {
    const address = someAddress();
    site.keepSecret(address);
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    await field(page).focus();
    await page.keyboard.type(address.toUpperCase());
    await page.keyboard.press("Tab");
    await expect(key(page)).toBeFocused();
    await page.keyboard.press("Space");
    await expectToast(
      page,
      "Transmission successful",
      "You have been added to the encrypted channel.",
    );
    await expect(field(page)).toHaveValue("");
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);

    const elsewhere = await openBrowser();
    await elsewhere.goto("/");
    await subscribe(elsewhere, `  ${address} `);
    await expectToast(elsewhere, "Transmission successful");
  });
}

test.describe("refused", () => {
  test.use({ expectedMessages: REFUSED });

  test("the sixth subscription of an hour is blocked", async ({ page, site }) => {
    await page.goto("/");
    for (let nth = 1; nth <= 5; nth += 1) {
      const answer = page.waitForResponse("**/api/newsletter");
      await subscribe(page, someAddress());
      expect((await answer).status()).toBe(200);
      await expect(field(page)).toHaveValue("");
    }
    const address = someAddress();
    site.keepSecret(address);
    await subscribe(page, address);
    await expectToast(page, "Transmission blocked");
    await expect(field(page)).toHaveValue(address);
  });

  test("a robot that fills in every field is refused; the next try counts", async ({ page }) => {
    await page.goto("/");
    await page.locator("form [aria-hidden] input").evaluate((trap: HTMLInputElement) => {
      trap.value = "https://pills.example";
    });
    await subscribe(page, someAddress());
    await expectToast(page, "Transmission failed");
    await page.keyboard.press("Enter");
    await expectToast(page, "Transmission successful");
  });
});
