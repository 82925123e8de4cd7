import { makeAdmin, signIn } from "./accounts/person.ts";
import { MEMBERS_ROUTES, OTHER_WIDTHS, ROUTES, WITHOUT_LAYOUT } from "./routes.ts";
import { expect, expectNoSidewaysScroll, FAILED_RESOURCE, test } from "./test.ts";

for (const { path, word } of ROUTES) {
  test(`${path} is served, titled and headed`, async ({ page, site }) => {
    const isSignedIn = MEMBERS_ROUTES.some((route) => route.path === path);
    if (isSignedIn) await signIn(page, makeAdmin(site));
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    // The desk adds the demo that is open.
    await expect(page).toHaveURL(({ pathname }) => pathname === path);
    expect(await page.title()).not.toBe("");
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("body")).toContainText(word);
    await expect(page.getByRole("contentinfo")).toHaveCount(WITHOUT_LAYOUT.includes(path) ? 0 : 1);
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  });
}

test("every page has a title and a description of its own, and says where it may be found", async ({
  request,
}) => {
  const seen = new Map<string, string>();
  for (const { path } of ROUTES) {
    const html = await (await request.get(path)).text();
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? "";
    expect(title, `the title of ${path}`).not.toBe("");
    expect(seen.get(title), `${path} has the title of another page`).toBeUndefined();
    seen.set(title, path);
    expect(html, `the description of ${path}`).toMatch(/<meta name="description" content="[^"]+"/);
    // Personal pages have no canonical address; all others name the only one they have.
    const isPersonal = /^\/(profile|auth|admin)\b/.test(path);
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];
    expect(canonical && new URL(canonical).pathname, path).toBe(isPersonal ? undefined : path);
    expect(html.includes('<meta name="robots" content="noindex"'), path).toBe(isPersonal);
  }
});

test.describe("an unknown path", () => {
  test.use({ expectedMessages: FAILED_RESOURCE });

  test("answers 404 with a page that leads home", async ({ page }) => {
    const answer = await page.goto("/no/such/page");
    expect(answer?.status()).toBe(404);
    await expect(page.getByText("Oops! Page not found")).toBeVisible();
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });

  test("under /api or /assets is answered without the application", async ({ request }) => {
    for (const path of ["/api/nothing", "/assets/nothing.js", "/media/nothing"]) {
      const answer = await request.get(path);
      expect(answer.status(), path).toBe(404);
      expect(await answer.text(), path).not.toContain("<html");
    }
  });
});

test("navigation by click goes through the five pages, scrolls to the top and never reloads", async ({
  page,
}) => {
  await page.goto("/");
  await page.evaluate(() => {
    (globalThis as unknown as { kept: boolean }).kept = true;
  });
  const navigation = page.getByRole("navigation").first();
  for (const name of ["RELEASES", "ARTISTS", "STORE", "TERMINAL", "HOME"]) {
    await page.evaluate(() => scrollTo(0, 400));
    await navigation.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(name === "HOME" ? "/" : `/${name.toLowerCase()}`);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  }
  expect(await page.evaluate(() => (globalThis as unknown as { kept?: boolean }).kept)).toBe(true);
});

test("a dialog that Back closes leaves the page where its reader was", async ({ page }) => {
  await page.goto("/artists");
  await page.getByRole("button", { name: "SUBMIT A DEMO" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  for (let times = 0; times < 2; times += 1) {
    await page.goBack({ waitUntil: "commit" });
    await expect(dialog).toBeHidden();
    expect(await page.evaluate(() => scrollY)).toBe(place);
    await page.goForward({ waitUntil: "commit" });
    await expect(dialog).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(place);
  }
});

test("the first paint of a page needs no further call for its data", async ({ page }) => {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    // The document is the same for everybody, so the session and the events are read separately.
    const isOwn = ["/api/events", "/api/auth/session"].includes(pathname);
    if (pathname.startsWith("/api/") && !isOwn) calls.push(pathname + search);
  });
  await page.goto("/releases");
  await expect(page.getByRole("article").first()).toBeVisible();
  expect(calls).toEqual([]);
});
