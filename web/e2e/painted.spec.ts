// Painted pages are taken over by the app without anything moving or being lost.
import type { Page } from "@playwright/test";
import { laterReleases, open, PAGES, read, untilPainted } from "./paintedPages.ts";
import { expect, FAILED_RESOURCE, test } from "./test.ts";

/** Holds the app's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Marks the page's heading, to be found again after the app has taken over. */
async function markHeading(page: Page): Promise<void> {
  await page
    .getByRole("heading", { level: 1 })
    .evaluate((heading) => heading.setAttribute("data-kept", ""));
}

/** Waits until the app has taken the page over, and fails when it made another in its place. */
async function expectTakenOver(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const heading = document.querySelector("h1") ?? {};
        return Object.keys(heading).some((key) => key.startsWith("__react"));
      }),
    )
    .toBe(true);
  await expect(page.locator("h1[data-kept]")).toHaveCount(1);
}

/** Sums up how much of the page has moved from here on, into `shifted` of its window. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = globalThis as unknown as { shifted: number };
    kept.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!shift.hadRecentInput) kept.shifted += shift.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

function shifted(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
}

test.describe("with scripts", () => {
  for (const { path } of PAGES) {
    test(`${path} is taken over, and nothing moves`, async ({ page }) => {
      await recordShifts(page);
      const release = await holdScripts(page);
      await open(page, path);
      await markHeading(page);
      // Words move by a hair when their own typeface takes the place of the browser's; that is not the app's doing.
      await page.evaluate(async () => {
        await document.fonts.ready;
        await new Promise((idle) => setTimeout(idle, 300));
        (globalThis as unknown as { shifted: number }).shifted = 0;
      });
      release();
      await expectTakenOver(page);
      await page.waitForLoadState("load");
      await page.evaluate(() => new Promise((idle) => setTimeout(idle, 500)));
      expect(await shifted(page), "how much of the page moved").toBe(0);
    });
  }

  for (const path of ["/", "/privacy-policy", "/contact"]) {
    test(`on a phone, ${path} moves no more than by a hair when the fonts come late`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await recordShifts(page);
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/*.woff2", async (route) => {
        await isReleased;
        await route.continue();
      });
      const releaseScripts = await holdScripts(page);
      await open(page, path);
      await markHeading(page);
      releaseScripts();
      await expectTakenOver(page);
      release();
      await page.evaluate(() => document.fonts.ready);
      await page.evaluate(() => new Promise((idle) => setTimeout(idle, 300)));
      expect(await shifted(page)).toBeLessThan(0.005);
    });
  }

  test("the terminal's first words move nothing, on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await recordShifts(page);
    await page.goto("/terminal");
    await expect(page.getByRole("log")).toContainText("TYPE help FOR COMMANDS");
    await page.evaluate(() => new Promise((idle) => setTimeout(idle, 300)));
    expect(await shifted(page)).toBeLessThan(0.005);
  });

  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    test(`PLAY is in sight on a phone of ${width} by ${height}`, async ({ page, site }) => {
      await page.setViewportSize({ width, height });
      const { items } = await read(site, "/api/releases?limit=50");
      const playable = items.find(({ embed_url }) => embed_url);
      await page.goto(`/releases/${playable?.slug}`);
      await expect(page.getByRole("button", { name: "PLAY" }).first()).toBeInViewport({ ratio: 1 });
    });
  }

  test("an artist, and a list from its middle on, are taken over", async ({ page, site }) => {
    const { items } = await read(site, "/api/artists?limit=1");
    const later = await laterReleases(site);
    for (const path of [`/artists/${items[0]?.id}`, later.path]) {
      await open(page, path);
      await markHeading(page);
      await expectTakenOver(page);
    }
    await page.getByRole("link", { name: "BACK TO THE NEWEST" }).click();
    await expect(page).toHaveURL("/releases");
    await expect(page.getByRole("article").first()).toContainText(later.newest);
  });

  test("a reader who came before the scripts keeps place, focus and words", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/contact");
    await markHeading(page);
    const field = page.getByLabel("Message");
    await field.pressSequentially("Cut it loud.");
    await page.evaluate(() => scrollTo(0, 120));
    release();
    await expectTakenOver(page);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("Cut it loud.");
    expect(await page.evaluate(() => scrollY)).toBe(120);
    await field.pressSequentially(" Twice.");
    await expect(field).toHaveValue("Cut it loud. Twice.");
    await page.getByRole("button", { name: "SEND MESSAGE" }).click();
    await expect(page.getByText("Name must be at least 2 characters")).toBeVisible();
    await expect(field).toHaveValue("Cut it loud. Twice.");
  });

  test("a search typed before the scripts is made when they come", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/releases");
    await markHeading(page);
    const field = page.getByRole("searchbox", { name: "Search releases" });
    await field.pressSequentially("kesto");
    release();
    await expectTakenOver(page);
    await expect(page).toHaveURL("/releases?q=kesto");
    await expect(field).toHaveValue("kesto");
    await expect(field).toBeFocused();
  });

  test("what is pressed before the scripts is done when they come", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/store");
    await page.waitForFunction(() => "takePressedEarly" in window);
    await page.getByRole("button", { name: "LOGIN" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    release();
    await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  });

  test("the login pressed before the scripts opens where the session has ended since", async ({
    page,
  }) => {
    await page.addInitScript(() => localStorage.setItem("deadwax.signed-in", "true"));
    const release = await holdScripts(page);
    await open(page, "/store");
    await page.waitForFunction(() => "takePressedEarly" in window);
    await page.getByRole("button", { name: "LOGIN" }).click();
    release();
    await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  });

  test("a sign-up typed before the scripts is there after a reload", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/signup");
    await markHeading(page);
    await page.getByLabel("Email").pressSequentially("mira@example.org");
    release();
    await expectTakenOver(page);
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("deadwax.signup")))
      .toContain("mira@example.org");
    await page.reload();
    await expect(page.getByLabel("Email")).toHaveValue("mira@example.org");
  });

  test("a form sent before the scripts keeps what was typed to itself", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/signup");
    await page.getByLabel("Password", { exact: true }).fill("never in an address");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await expect(page).toHaveURL("/signup");
    release();
    await expect(page.getByText(/required/i).first()).toBeVisible();
    await expect(page).toHaveURL("/signup");
  });

  test("the text goes before the scripts, and they wait for no picture for long", async ({
    page,
  }) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.route("**/media/**", () => {});
    // The page's clock is paused, so that no wait ends by itself, however slow this machine is.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await open(page, "/releases");
    await markHeading(page);
    await expect(page.getByRole("article").first()).toBeVisible();
    expect(requested.filter((path) => path.startsWith("/assets/") && path.endsWith(".js"))).toEqual(
      [],
    );
    await page.clock.runFor(2000);
    await page.clock.resume();
    await expectTakenOver(page);
  });

  test("what is below the first sight of a phone waits until the page can be seen", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    await recordShifts(page);
    await open(page, "/releases");
    await markHeading(page);
    await expectTakenOver(page);
    const second = page.getByRole("article").nth(1);
    await second.locator("img").scrollIntoViewIfNeeded();
    await expect
      .poll(() => second.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const { seen, pictures, scripts } = await page.evaluate(() => {
      const resources = performance.getEntriesByType("resource");
      const asked = (sign: RegExp) =>
        resources.filter(({ name }) => sign.test(name)).map(({ startTime }) => startTime);
      return {
        seen: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
        pictures: asked(/\/media\//),
        scripts: asked(/\/assets\/.*\.js$/),
      };
    });
    const before = pictures.filter((start) => start < seen);
    expect(before, "pictures asked for before the page could be seen").toHaveLength(1);
    expect(pictures.length).toBeGreaterThan(1);
    expect(scripts.filter((start) => start < seen)).toEqual([]);
    // Words move by a hair when their own typeface takes the place of the browser's.
    expect(await shifted(page), "how much of the page moved").toBeLessThan(0.01);
  });

  test("a link is followed before the scripts are here", async ({ page }) => {
    const release = await holdScripts(page);
    await open(page, "/store");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "ARTISTS" })
      .click({ noWaitAfter: true });
    await expect(page).toHaveURL("/artists");
    await untilPainted(page);
    await expect(page.getByRole("heading", { level: 1, name: "ARTISTS" })).toBeVisible();
    release();
  });

  test("a dialog that the address names opens over the page", async ({ page }) => {
    // The heading is marked before the dialog opens, since an open dialog hides it from queries by role.
    const release = await holdScripts(page);
    await open(page, "/releases?dialog=login");
    await markHeading(page);
    release();
    await expectTakenOver(page);
    await expect(page.getByRole("dialog", { name: "TERMINAL ACCESS" })).toBeVisible();
  });
});

test.describe("a wrong address", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("is painted too, and taken over where it is nobody's", async ({ page }) => {
    await open(page, "/nothing/here");
    await markHeading(page);
    await expectTakenOver(page);
    await page.goto("/artists/0193e7a0-0000-7000-8000-00000000dead");
    await expect(page.getByRole("link", { name: "RETURN TO ARTISTS" })).toBeVisible();
  });
});

test.describe("a picture that fails", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("before the scripts gives way to grooves", async ({ page }) => {
    const release = await holdScripts(page);
    await page.route("**/media/**", (route) => route.abort());
    await open(page, "/releases");
    await markHeading(page);
    release();
    await expectTakenOver(page);
    await expect(page.getByRole("article").first().locator("img")).toHaveCount(0);
  });
});

test.describe("a search that is too long", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("is none, and its page is taken over all the same", async ({ page }) => {
    for (const length of [200, 201, 500]) {
      await page.goto(`/releases?q=${"x".repeat(length)}`);
      const field = page.getByRole("searchbox", { name: "Search releases" });
      await expect(field).toHaveValue(length > 200 ? "" : "x".repeat(length));
    }
  });
});
