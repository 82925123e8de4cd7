// Painted pages in a browser that runs no scripts.
import { laterReleases, open, PAGES, read, untilPainted } from "./paintedPages.ts";
import { expect, test } from "./test.ts";

/** The line that each form shows in a browser that runs no scripts. */
const NEEDS = [
  { path: "/", line: "Subscribing needs JavaScript." },
  { path: "/artists", line: "Sending a demo needs JavaScript." },
  { path: "/terminal", line: /It needs JavaScript\./ },
  { path: "/contact", line: "Sending a message needs JavaScript." },
  { path: "/signup", line: "Signing up needs JavaScript." },
] as const;

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("every public page reads, and leads on", async ({ page, site }) => {
    for (const { path, words } of PAGES) {
      await open(page, `${site.url}${path}`);
      const heading = page.getByRole("heading", { level: 1 });
      await expect(heading, path).toHaveCount(1);
      for (const word of words) await expect(heading, path).toHaveText(word);
      const places = page.getByRole("navigation", { name: "Main" }).getByRole("link");
      await expect(places, path).toHaveCount(5);
      await expect(page.getByRole("contentinfo"), path).toContainText("QUICK LINKS");
      await expect(page.locator("main [aria-busy=true]"), path).toHaveCount(0);
    }
    for (const { path, line } of NEEDS) {
      await open(page, `${site.url}${path}`);
      const needs = page.locator("main noscript p");
      await expect(needs, path).toBeVisible();
      await expect(needs, path).toHaveText(line);
    }
  });

  test("releases and artists are there with artwork and links", async ({ page, site }) => {
    const { items } = await read(site, "/api/releases?limit=50");
    await open(page, `${site.url}/releases`);
    await expect(page.getByRole("article")).toHaveCount(items.length);
    const artwork = page.getByRole("img", { name: /^Artwork of/ }).first();
    await expect(artwork).toBeVisible();
    await expect
      .poll(() => artwork.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
      .toBeGreaterThan(0);
    await expect(page.getByRole("link", { name: "SPOTIFY" }).first()).toBeVisible();
    // Buttons that need scripts are not shown.
    await expect(page.getByRole("button", { name: "PLAY" })).toHaveCount(0);
    await page.getByRole("navigation", { name: "Main" }).getByText("ARTISTS").click();
    await expect(page).toHaveURL(`${site.url}/artists`);
    await untilPainted(page);
    await page.locator("main h2 a").first().click();
    await expect(page).toHaveURL(/\/artists\/[0-9a-f-]{36}$/);
    await untilPainted(page);
    await expect(page.getByRole("heading", { name: "DISCOGRAPHY" })).toBeVisible();
    await page.getByRole("link", { name: "BACK TO ARTISTS" }).click();
    await expect(page).toHaveURL(`${site.url}/artists`);
  });

  test("the releases are searched by Enter", async ({ page, site }) => {
    await open(page, `${site.url}/releases`);
    await page.getByRole("searchbox", { name: "Search releases" }).fill("dead air p");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${site.url}/releases?q=dead+air+p`);
    await untilPainted(page);
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page.getByRole("article")).toContainText("Dead Air Protocol");
    await expect(page.getByRole("searchbox")).toHaveValue("dead air p");
  });

  test("a list's address leads into its middle, and back", async ({ page, site }) => {
    const { path, newest, later } = await laterReleases(site);
    await open(page, `${site.url}${path}`);
    await expect(page.getByRole("article").first()).toContainText(later);
    await expect(page.getByRole("heading", { name: newest, exact: true })).toHaveCount(0);
    await page.getByRole("link", { name: "BACK TO THE NEWEST" }).click();
    await expect(page).toHaveURL(`${site.url}/releases`);
    await untilPainted(page);
    await expect(page.getByRole("article").first()).toContainText(newest);
  });
});

test.describe("without scripts, in a wide window", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 1024, height: 800 } });

  test("what a control needs is said in lines of their own width", async ({ page }) => {
    await open(page, "/");
    const needs = page.locator("noscript p", { hasText: "Subscribing needs JavaScript." });
    const lines = (await needs.boundingBox()) ?? { width: 0, height: 0 };
    expect(lines.width).toBeGreaterThan(900);
    expect(lines.height).toBeLessThan(80);
  });
});

test.describe("without scripts, on a phone", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });

  test("the menu leads to the places at the foot", async ({ page }) => {
    await open(page, "/store");
    await expect(page.getByRole("button", { name: "MENU" })).toHaveCount(0);
    await page.getByRole("link", { name: "MENU" }).click();
    const place = page.getByRole("contentinfo").getByRole("link", { name: "TERMINAL" });
    await expect(place).toBeInViewport();
    await place.click();
    await expect(page).toHaveURL("/terminal");
  });
});
