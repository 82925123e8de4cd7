import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectToast } from "./accounts/person.ts";
import { letters } from "./mails.ts";
import { WIDTHS } from "./routes.ts";
import type { Site } from "./site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, REFUSED, test } from "./test.ts";

const FAILED = "Failed to send message. Please try again.";

/** A writer whose message can be found again. */
function somebody(site: Site) {
  const mark = randomBytes(6).toString("hex");
  const writer = {
    name: "Renée O'Hara",
    email: `writer-${mark}@example.org`,
    message: `My copy of 404-018 never arrived.\n\nBcc: evil-${mark}@example.org\n.\nRenée`,
  };
  site.keepSecret(writer.email, `evil-${mark}@example.org`);
  return { ...writer, mark };
}

type Writer = Pick<ReturnType<typeof somebody>, "name" | "email" | "message">;

const sendButton = (page: Page) => page.getByRole("button", { name: "SEND MESSAGE" });

async function fill(page: Page, { name, email, message }: Writer): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Message", { exact: true }).fill(message);
}

async function expectFilled(page: Page, { name, email, message }: Writer): Promise<void> {
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(message);
}

const EMPTY = { name: "", email: "", message: "" };

for (const width of WIDTHS) {
  test(`a message written by keyboard at ${width} px reaches the label, with the way back to its writer`, async ({
    page,
    site,
  }) => {
    const writer = somebody(site);
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/contact");
    await expect(page.getByRole("heading", { name: "Send us a message" })).toBeVisible();
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type(writer.name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(writer.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(writer.message);
    await page.keyboard.press("Tab");
    await expect(sendButton(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expectToast(
      page,
      "Message Sent!",
      "Thank you for contacting us. We'll get back to you soon.",
    );
    await expectFilled(page, EMPTY);
    await expect(sendButton(page)).toBeFocused();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);

    const mine = () => letters(site).filter(({ text }) => text.includes(writer.mark));
    await expect.poll(() => mine().length).toBe(1);
    const [letter] = mine();
    expect(letter?.replyTo).toBe(writer.email);
    expect(letter?.subject).not.toContain(writer.name);
    expect(letter?.to).not.toContain("evil");
    for (const line of writer.message.split("\n")) expect(letter?.text).toContain(line);
    await page.reload();
    await expectFilled(page, EMPTY);
  });
}

test.describe("not accepted", () => {
  test.use({ expectedMessages: REFUSED });

  test("the fourth message within ten minutes is refused with a time, and stays until the page ends", async ({
    page,
    site,
  }) => {
    await page.goto("/contact");
    for (let nth = 1; nth <= 3; nth += 1) {
      await fill(page, somebody(site));
      await sendButton(page).click();
      await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
    }
    const writer = somebody(site);
    await fill(page, writer);
    await sendButton(page).click();
    await expectToast(page, "Error", FAILED);
    await expect(
      page.getByText(/^Too many messages\. Please try again in \d+ minutes\.$/),
    ).toBeVisible();
    await expectFilled(page, writer);
    await expectAccessible(page);
    await page.getByRole("contentinfo").getByRole("link", { name: "STORE" }).click();
    await expect(page.getByRole("heading", { name: "COMING SOON" })).toBeVisible();
    await page.goBack();
    await expectFilled(page, writer);
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(
      writer.mark,
    );
    await page.reload();
    await expectFilled(page, EMPTY);
    expect(letters(site).filter(({ text }) => text.includes(writer.mark))).toEqual([]);
  });

  test("a robot that fills in every field is refused, and nothing is sent", async ({
    page,
    site,
  }) => {
    const writer = somebody(site);
    await page.goto("/contact");
    await fill(page, writer);
    await page.locator("form [aria-hidden] input").evaluate((trap: HTMLInputElement) => {
      trap.value = "https://pills.example";
    });
    await sendButton(page).click();
    await expectToast(page, "Error", FAILED);
    await expectFilled(page, writer);
    expect(letters(site).filter(({ text }) => text.includes(writer.mark))).toEqual([]);
  });
});
