import type { Site } from "./site.ts";
import { CONNECTION_LOST, expect, test } from "./test.ts";

// Live means within a second: waiting for a notification and refetching, no more.
const AT_ONCE = { timeout: 1_000 };

test("a catalogue loaded by another process appears on an open page within a second", async ({
  page,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  await page.goto(`${site.url}/releases`);
  await expect(page.getByText("NO RELEASES FOUND")).toBeVisible();
  site.run("sample");
  await expect(page.getByRole("article").first()).toBeVisible(AT_ONCE);
  await expect(page.getByText("NO RELEASES FOUND")).toBeHidden(AT_ONCE);
});

test("a page is live beside a tab that led before it, and sleeps", async ({
  page,
  context,
  startSite,
}) => {
  const site = await startSite({ sample: false });
  const led = page.waitForRequest(/\/api\/events/);
  await page.goto(`${site.url}/store`);
  await led;
  const wire = await context.newCDPSession(page);
  await wire.send("Debugger.enable");
  await wire.send("Debugger.pause");
  const other = await context.newPage();
  const taken = other.waitForRequest(/\/api\/events/, { timeout: 15_000 });
  await other.goto(`${site.url}/releases`);
  await expect(other.getByText("NO RELEASES FOUND")).toBeVisible();
  await taken;
  site.run("sample");
  await expect(other.getByRole("article").first()).toBeVisible(AT_ONCE);
  await wire.detach();
  await other.close();
});

test.describe("on PostgreSQL", () => {
  let site: Site;

  test.beforeEach(async ({ startSite }) => {
    site = await startSite({ sample: true, engine: "postgres" });
  });

  test("a title changed by SQL is seen by an open page within a second", async ({ page }) => {
    await page.goto(`${site.url}/releases`);
    const title = page.getByRole("article").first().getByRole("heading");
    await expect(title).toBeVisible();
    const old = (await title.innerText()).replaceAll("'", "''");
    site.sql(
      `UPDATE releases SET title = 'Changed From Outside' WHERE lower(title) = lower('${old}')`,
    );
    await expect(page.getByRole("heading", { name: "Changed From Outside" })).toBeVisible(AT_ONCE);
  });

  test("maintenance shows and goes on an open page, and the document says 503 meanwhile", async ({
    page,
    request,
  }) => {
    const status = async (path: string) => (await request.get(`${site.url}${path}`)).status();
    await page.goto(`${site.url}/releases`);
    await expect(page.getByRole("article").first()).toBeVisible();
    site.sql(
      `INSERT INTO maintenance_settings (page_key, is_maintenance_mode, maintenance_message)
       VALUES ('releases', TRUE, 'Back at midnight') ON CONFLICT (page_key) DO UPDATE
       SET is_maintenance_mode = TRUE, maintenance_message = 'Back at midnight'`,
    );
    await expect(page.getByText("SYSTEM PATCH IN PROGRESS...")).toBeVisible(AT_ONCE);
    await expect(page.getByText("STATUS: OFFLINE")).toBeVisible();
    await expect(page.getByText("Back at midnight")).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(0);
    await expect.poll(() => status("/releases")).toBe(503);
    expect(await status("/artists")).toBe(200);
    site.sql(
      "UPDATE maintenance_settings SET is_maintenance_mode = FALSE WHERE page_key = 'releases'",
    );
    await expect(page.getByRole("article").first()).toBeVisible(AT_ONCE);
    await expect.poll(() => status("/releases")).toBe(200);
  });
});

test.describe("a page left open", () => {
  test.use({ expectedMessages: CONNECTION_LOST });

  test("through a restart is current again without a reload", async ({ page, startSite }) => {
    const site = await startSite({ sample: false });
    await page.goto(`${site.url}/releases`);
    await expect(page.getByText("NO RELEASES FOUND")).toBeVisible();
    await page.evaluate(() => {
      (globalThis as unknown as { kept: boolean }).kept = true;
    });
    await site.stop();
    site.run("sample");
    await site.start();
    // Reconnects follow after 1, 2 and 5 seconds.
    await expect(page.getByRole("article").first()).toBeVisible({ timeout: 12_000 });
    expect(await page.evaluate(() => (globalThis as unknown as { kept?: boolean }).kept)).toBe(
      true,
    );
  });
});
