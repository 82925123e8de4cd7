import type { Page } from "@playwright/test";
import { makeUp } from "./accounts/person.ts";
import { WIDTHS } from "./routes.ts";
import type { Site } from "./site.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, FAILED_RESOURCE, test } from "./test.ts";

const command = (page: Page) => page.getByLabel("COMMAND");
const log = (page: Page) => page.getByRole("log");

/** Opens the terminal with the boot sequence shown at once. */
async function openTerminal(page: Page, url = "/terminal"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(url);
  await expect(command(page)).toBeFocused();
}

async function ask(page: Page, question: string): Promise<void> {
  await expect(command(page)).toBeEnabled();
  await command(page).fill(question);
  await page.keyboard.press("Enter");
}

/** The last line that the terminal printed. */
function lastLine(page: Page) {
  return log(page).locator(":scope > div").last();
}

test("a visitor sees it boot, and can ask", async ({ page }) => {
  await page.goto("/terminal");
  await expect(log(page).locator("time").first()).toBeVisible();
  await expect(command(page)).toBeDisabled();
  await expect(log(page).locator("time")).toHaveCount(4);
  await expect(command(page)).toBeFocused();
});

for (const width of WIDTHS) {
  test(`a visitor at ${width} px asks by keyboard and follows an answer`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openTerminal(page);
    await page.keyboard.type("help");
    await page.keyboard.press("Enter");
    await expect(lastLine(page)).toContainText("releases");
    await expect(command(page)).toBeFocused();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);

    await page.keyboard.type("artists");
    await page.keyboard.press("Enter");
    const artist = lastLine(page).locator('a[href^="/artists/"]').first();
    await expect(artist).toBeVisible();
    const name = (await artist.textContent()) ?? "";
    expect(name).not.toContain("/");
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await artist.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/artists\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await page.goBack();
    await expect(log(page).getByText("artists", { exact: true })).toBeVisible();
    await expect(command(page)).toBeEnabled();
  });
}

test("a question that is not understood leads on, in its own language", async ({ page }) => {
  await openTerminal(page);
  await expect(page.getByText("COMMAND", { exact: true })).toBeVisible();
  await ask(page, "Wie wird das Wetter morgen?");
  await expect(lastLine(page)).toContainText("KEIN TREFFER FÜR: Wie wird das Wetter morgen?");
  for (const name of ["Releases", "Artists", "Kontakt"]) {
    await expect(lastLine(page).getByRole("link", { name, exact: true })).toBeVisible();
  }
  const demo = lastLine(page).getByRole("link", { name: "Demo einsenden" });
  await demo.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/artists\?dialog=demo$/);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("the newest line is in sight, unless the reader looks at an older one", async ({ page }) => {
  const long = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n");
  const waiting: (() => Promise<void>)[] = [];
  await page.route("**/api/terminal", (route) => {
    waiting.push(() => route.fulfill({ json: { response: long } }));
  });
  const [first, last] = [
    log(page).getByText("line 0", { exact: true }),
    log(page).getByText("line 59"),
  ];
  await openTerminal(page);
  await ask(page, "one");
  await expect.poll(() => waiting.length).toBe(1);
  await waiting[0]?.();
  await expect(last).toBeInViewport();
  await expect(first).not.toBeInViewport();
  await expect(command(page)).toBeInViewport();

  // Asking is looking at the end; who looks up while waiting is left there.
  await first.scrollIntoViewIfNeeded();
  await ask(page, "two");
  await expect(log(page).getByText("two", { exact: true })).toBeInViewport();
  await first.scrollIntoViewIfNeeded();
  await expect.poll(() => waiting.length).toBe(2);
  await waiting[1]?.();
  await expect(last).toHaveCount(2);
  await expect(first.first()).toBeInViewport();
  await expect(last.last()).not.toBeInViewport();
});

test.describe("in maintenance", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  // Live means within a second: waiting for a notification and refetching, no more.
  const AT_ONCE = { timeout: 1_000 };

  function close(site: Site, pageKey: string, isClosed: boolean): void {
    site.sql(
      `INSERT INTO maintenance_settings (page_key, is_maintenance_mode) VALUES ('${pageKey}', ${isClosed})
       ON CONFLICT (page_key) DO UPDATE SET is_maintenance_mode = ${isClosed}`,
    );
  }

  test("the terminal closes and opens under a visitor, and an admin goes on working", async ({
    page,
    startSite,
    openBrowser,
  }) => {
    const site = await startSite({ sample: true, engine: "postgres" });
    const admin = makeUp(site);
    site.runWith(`${admin.password}\n`, "admin", "create", admin.email, "--password-stdin");
    const work = await openBrowser();
    const signedIn = await work.request.post(`${site.url}/api/auth/sign-in`, {
      data: { identifier: admin.email, password: admin.password },
    });
    await expect(signedIn).toBeOK();
    await openTerminal(work, `${site.url}/terminal`);
    await openTerminal(page, `${site.url}/terminal`);
    await ask(page, "help");
    await expect(lastLine(page)).toContainText("releases");

    close(site, "terminal", true);
    const screen = page.getByText("SYSTEM PATCH IN PROGRESS...");
    await expect(screen).toBeVisible(AT_ONCE);
    await expect(command(page)).toHaveCount(0);
    await expect(page.getByRole("navigation").first()).toBeVisible();
    const refused = await page.request.post(`${site.url}/api/terminal`, {
      data: { message: "help" },
    });
    expect(refused.status()).toBe(503);
    expect(await refused.json()).toMatchObject({ response: null, code: "maintenance" });
    await ask(work, "latest");
    await expect(lastLine(work)).toContainText("LATEST RELEASE");
    await expect(work.getByText("SYSTEM PATCH IN PROGRESS...")).toHaveCount(0);

    close(site, "terminal", false);
    await expect(screen).toHaveCount(0, AT_ONCE);
    // The conversation is where it was.
    await expect(log(page).getByText("help", { exact: true })).toBeVisible();
    await ask(page, "latest");
    await expect(lastLine(page)).toContainText("LATEST RELEASE");
  });

  test("an artist's page follows the setting of the list", async ({ page, startSite }) => {
    const site = await startSite({ sample: true, engine: "postgres" });
    const artists = await page.request.get(`${site.url}/api/artists?limit=1`);
    const [{ id, name }] = (await artists.json()).items;
    await page.goto(`${site.url}/artists/${id}`);
    const heading = page.getByRole("heading", { level: 1, name });
    await expect(heading).toBeVisible();
    close(site, "artists", true);
    await expect(page.getByText("SYSTEM PATCH IN PROGRESS...")).toBeVisible(AT_ONCE);
    await expect(heading).toHaveCount(0);
    await expectAccessible(page);
    close(site, "artists", false);
    await expect(heading).toBeVisible(AT_ONCE);
  });
});
