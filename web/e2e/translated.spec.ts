// Pages under a translator that works as Chrome's does: nothing breaks, and no word is lost.
import type { Page } from "@playwright/test";
import { openDashboard } from "./admin/dashboard.ts";
import { PUBLIC_ROUTES, TABS } from "./routes.ts";
import { expect, REFUSED, test } from "./test.ts";

/** Puts a `font` element in the place of every text of the page, now and later. */
function translate(): void {
  const isText = (node: Node) =>
    (node.textContent ?? "").trim() !== "" &&
    !node.parentElement?.closest("font, script, style, title, textarea, noscript, svg");
  function put(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root instanceof Text ? [root] : [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text);
    for (const text of texts.filter(isText)) {
      const font = document.createElement("font");
      const words = document.createElement("font");
      words.textContent = text.textContent;
      font.append(words);
      text.parentNode?.replaceChild(font, text);
    }
  }
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) put(node);
  }).observe(document, { childList: true, subtree: true });
  if (document.body) put(document.body);
}

/** All words of the page once nothing is on its way, without the time of day. */
async function words(page: Page): Promise<string> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  return page.evaluate(() => document.body.innerText.replace(/\d+:\d\d:\d\d|\s+/g, " "));
}

/** The words once they have stayed the same for a while: what is read last makes no region busy. */
async function settledWords(page: Page): Promise<string> {
  let last = "";
  const isSettled = async () => {
    const before = last;
    last = await words(page);
    return last === before;
  };
  await expect.poll(isSettled, { intervals: [400] }).toBe(true);
  return last;
}

test("every public page has all its words under a translator", async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const plain = await context.newPage();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await plain.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(translate);
  for (const { path } of PUBLIC_ROUTES) {
    await Promise.all([page.goto(path), plain.goto(path)]);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    await expect.poll(() => words(page), path).toBe(await words(plain));
  }
  await context.close();
});

test.describe("a translated public page", () => {
  // Where the rules have not loaded yet, the server refuses the address.
  test.use({ expectedMessages: REFUSED });

  test("is searched, typed into and left", async ({ page }) => {
    await page.goto("/releases");
    await page.evaluate(translate);
    const before = await words(page);
    const search = page.getByRole("searchbox", { name: "Search releases" });
    await search.fill("zzzzzz");
    await expect(page.getByRole("article")).toHaveCount(0);
    await search.fill("");
    await expect.poll(() => words(page)).toBe(before);
    await page.getByRole("navigation").first().getByRole("link", { name: "HOME" }).click();
    await page.getByLabel("EMAIL").fill("nothing");
    await page.getByRole("button", { name: "SUBSCRIBE" }).click();
    await expect(page.getByLabel("EMAIL")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("EMAIL").fill("");
    await page.getByRole("button", { name: "LOGIN" }).click();
    const dialog = page.getByRole("dialog", { name: "TERMINAL ACCESS" });
    await dialog.getByRole("button", { name: "LOG IN" }).click();
    await dialog.getByRole("tab", { name: "SIGN UP" }).click();
    await dialog.getByRole("button", { name: "CLOSE" }).click();
    await expect(dialog).toBeHidden();
  });
});

test("every tab of a translated dashboard is searched, and keeps what was typed", async ({
  page,
  site,
}) => {
  await openDashboard(page, site, "content");
  await page.evaluate(translate);
  const box = page.getByRole("textbox", { name: "HERO MAIN TITLE" });
  await box.fill("Typed under a translator");
  for (const tab of TABS) {
    if (tab !== "content") {
      const name = new RegExp(`^${tab}`, "i");
      await page.getByRole("tab", { name }).click();
      await expect(page.getByRole("tab", { name, selected: true })).toBeVisible();
    }
    const before = await settledWords(page);
    const search = page.getByRole("searchbox");
    if (tab !== "analytics" && tab !== "terminal") {
      await search.first().fill("zzzzzz");
      await expect(page.getByText(/Nothing found/).first()).toBeVisible();
      await search.first().fill("");
      await expect.poll(() => words(page), tab).toBe(before);
    }
    if (tab !== "content") continue;
    await expect(box).toHaveValue("Typed under a translator");
    await box.locator("xpath=ancestor::form").getByRole("button", { name: "Discard" }).click();
  }
});
