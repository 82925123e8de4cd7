// The preferences of readers: colours, sizes, and a screen reader, which gets its content from Chromium's
// accessibility tree.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./test.ts";

/** Draws an element with these classes on the page, as the style sheet makes it look. */
function draw(page: Page, html: string): Promise<void> {
  return page.evaluate((html) => {
    document.querySelector("#drawn")?.remove();
    document.body.insertAdjacentHTML("afterbegin", `<div id="drawn">${html}</div>`);
    // The policy allows no style in the text of a page.
    Object.assign((document.querySelector("#drawn") as HTMLElement).style, {
      padding: "8px",
      width: "200px",
    });
  }, html);
}

async function pictureOf(shown: Locator): Promise<string> {
  return (await shown.screenshot({ animations: "disabled" })).toString("base64");
}

test("in a reader's own colours, what marks a place or a state is still drawn", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/releases");
  await expect(page.getByRole("article").first()).toBeVisible();
  const marker = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "RELEASES" })
    .locator(".block-cursor");
  const marked = await pictureOf(marker);
  await marker.evaluate((element) => element.style.setProperty("background", "Canvas"));
  expect(await pictureOf(marker)).not.toBe(marked);

  const drawn = page.locator("#drawn");
  for (const [one, other] of [
    ['<input type="checkbox" class="switch">', '<input type="checkbox" class="switch" checked>'],
    [
      '<progress class="meter" max="100" value="10"></progress>',
      '<progress class="meter" max="100" value="90"></progress>',
    ],
    [
      '<input type="range" class="groove" value="10">',
      '<input type="range" class="groove" value="90">',
    ],
  ] as const) {
    await draw(page, one);
    const first = await pictureOf(drawn);
    await draw(page, other);
    expect(await pictureOf(drawn), other).not.toBe(first);
  }
});

test("letters are as large as the reader has set them", async ({ page, context }) => {
  const browser = await context.newCDPSession(page);
  const sizeOf = () =>
    page.getByRole("main").evaluate((main) => Number.parseFloat(getComputedStyle(main).fontSize));
  await page.goto("/contact");
  expect(await sizeOf()).toBe(13);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 24 } });
  await page.reload();
  expect(await sizeOf()).toBeCloseTo(19.5, 1);
});

test("a screen reader learns what a form wants and what a page is", async ({ page, context }) => {
  await page.goto("/contact");
  await expect(page.getByRole("form", { name: "Contact" })).toMatchAriaSnapshot(`
    - form "Contact":
      - heading "Send us a message" [level=2]
      - text: Name
      - textbox "Name"
      - text: Email
      - textbox "Email"
      - text: Message
      - textbox "Message"
      - alert
      - button "SEND MESSAGE"
  `);
  const browser = await context.newCDPSession(page);
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const boxes = nodes.filter(({ role }) => role?.value === "textbox");
  const required = boxes
    .filter(({ properties }) =>
      properties?.some(({ name, value }) => name === "required" && value.value === true),
    )
    // The tree has them in the letters they are drawn in.
    .map(({ name }) => String(name?.value).toLowerCase());
  expect(required).toEqual(expect.arrayContaining(["name", "email", "message"]));

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "STORE" }).click();
  await expect(page.getByRole("heading", { name: "COMING SOON" })).toBeFocused();
  await expect(page.getByRole("navigation", { name: "Main" })).toMatchAriaSnapshot(`
    - link "HOME"
    - link "RELEASES"
    - link "ARTISTS"
    - link "STORE"
    - link "TERMINAL"
  `);
});
