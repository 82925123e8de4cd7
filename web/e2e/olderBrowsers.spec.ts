// Browsers that lack or refuse something that the app uses: every page stays usable.
import type { Page } from "@playwright/test";
import { openDashboard } from "./admin/dashboard.ts";
import { MEMBERS_ROUTES, PUBLIC_ROUTES } from "./routes.ts";
import { expect, test } from "./test.ts";

/** Removes everything that older browsers, private windows and strict settings lack, all at once. */
function takeAway(): void {
  const gone = [
    "BroadcastChannel",
    "IntersectionObserver",
    "ResizeObserver",
    "EventSource",
    "requestIdleCallback",
    "WebAssembly",
    "PerformanceObserver",
  ];
  for (const name of gone) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(AbortSignal, "any");
  Reflect.deleteProperty(URL, "canParse");
  Reflect.deleteProperty(Crypto.prototype, "randomUUID");
  Reflect.deleteProperty(Navigator.prototype, "locks");
}

/** Refuses all that a browser refuses together with cookies. */
function refuse(): void {
  const refused = () => new DOMException("refused", "SecurityError");
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, {
      get() {
        throw refused();
      },
    });
  }
  if (!("BroadcastChannel" in globalThis)) return;
  globalThis.BroadcastChannel = class {
    constructor() {
      throw refused();
    }
  } as unknown as typeof BroadcastChannel;
  LockManager.prototype.request = () => Promise.reject(refused());
}

async function expectEveryPage(page: Page): Promise<void> {
  for (const { path, word } of PUBLIC_ROUTES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    await expect(page.locator("body")).toContainText(word);
  }
}

test("every page opens, and follows the label, where the browser refuses storage, channels and locks", async ({
  page,
}) => {
  await page.addInitScript(refuse);
  await expectEveryPage(page);
  const followed = page.waitForRequest(/\/api\/events/);
  await page.goto("/store");
  await followed;
});

test.describe("without what older browsers lack", () => {
  // The page reports once that the rules could not be loaded; without them, the server refuses a link that is not one.
  test.use({ expectedMessages: /^the rules could not be loaded|status of 422 .*auth.link/ });

  test("every page opens, and a form is sent", async ({ page }) => {
    await page.addInitScript(takeAway);
    await page.addInitScript(refuse);
    await expectEveryPage(page);
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Mira Vale");
    await page.getByLabel("Email").fill("mira@example.org");
    await page.getByLabel("Message").fill("Cut it as loud as it goes.");
    await page.getByRole("button", { name: "SEND MESSAGE" }).click();
    await expect(page.getByText("Message sent").first()).toBeVisible();
  });

  test("the terminal shows an answer with addresses", async ({ page }) => {
    await page.addInitScript(takeAway);
    await page.addInitScript(refuse);
    const { items } = await (await page.request.get("/api/artists")).json();
    const linked = items.find(({ instagram_url }: { instagram_url: string }) => instagram_url);
    await page.goto("/terminal");
    const command = page.getByLabel("COMMAND");
    await expect(command).toBeEnabled();
    await command.fill(`artist ${linked.name}`);
    await command.press("Enter");
    await expect(page.getByRole("log").locator('a[href^="https://"]').first()).toBeVisible();
  });

  test("an admin signs in, opens the dashboard and its lists", async ({ page, site }) => {
    await page.addInitScript(takeAway);
    await page.addInitScript(refuse);
    await openDashboard(page, site, "releases");
    await expect(page.getByRole("article").first()).toBeVisible();
    for (const { path, word } of MEMBERS_ROUTES) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
      await expect(page.locator("body")).toContainText(word);
    }
  });
});
