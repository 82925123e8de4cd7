// The demo desk in a browser, and what the server has of it.
import type { Page } from "@playwright/test";
import type { Site } from "../site.ts";
import { expect } from "../test.ts";
import { openDashboard } from "./dashboard.ts";

/** An admin at the desk, by the way that leads there. */
export async function openDesk(page: Page, site: Site): Promise<void> {
  await openDashboard(page, site, "media");
  await page.getByRole("link", { name: "OPEN THE DESK" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Demo Desk" })).toBeVisible();
}

export const onDesk = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 2, name })).toBeVisible();

export const isPlaying = (page: Page, name: string) =>
  expect(page.getByRole("button", { name: `Pause ${name}` })).toBeVisible();

/** The demos as the server has them, by their artists. */
export async function stored(page: Page, site: Site) {
  const answer = await page.request.get(`${site.url}/api/admin/desk/demos`);
  const { items } = await answer.json();
  return new Map<string, { id: string; state: string; heard_at: unknown }>(
    items.map((item: { artist_name: string }) => [item.artist_name, item]),
  );
}
