// On paper: what was written, black on white, and where its links lead.
import { expect, test } from "./test.ts";

for (const { path, shown } of [
  { path: "/privacy-policy", shown: "main pre" },
  { path: "/releases", shown: "main article" },
]) {
  test(`${path} is printed without what works on the screen alone`, async ({ page }) => {
    await page.goto(path);
    await expect(page.locator(shown).first()).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.locator(shown).first()).toBeVisible();
    await expect(page.getByRole("navigation").filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole("contentinfo").filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole("button").filter({ visible: true })).toHaveCount(0);
    const colours = await page.evaluate(() => {
      const { backgroundColor } = getComputedStyle(document.documentElement);
      const { color } = getComputedStyle(document.querySelector("h1") ?? document.body);
      const signal = getComputedStyle(document.documentElement).getPropertyValue("--color-signal");
      return { backgroundColor, color, signal };
    });
    expect(colours).toEqual({
      backgroundColor: "rgb(255, 255, 255)",
      color: "rgb(0, 0, 0)",
      signal: "#000",
    });
    const links = await page.locator('main a[href^="http"]').evaluateAll((all) =>
      all.map((link) => ({
        href: link.getAttribute("href") ?? "",
        behind: getComputedStyle(link, "::after").content,
      })),
    );
    if (path === "/releases") expect(links.length).toBeGreaterThan(0);
    for (const { href, behind } of links) {
      expect(behind.includes("attr(href)") || behind.includes(href), `${href}: ${behind}`).toBe(
        true,
      );
    }
  });
}
