// Admins at their dashboard, and what journeys through it share.
import { expect, type Locator, type Page } from "@playwright/test";
import { makeAdmin, type Person } from "../accounts/person.ts";
import type { Site } from "../site.ts";

/** Live means within a second; the timeout is two, for a machine that is busy building. */
export const AT_ONCE = { timeout: 2_000 };

/** Signs a new admin in, and opens a tab. */
export async function openDashboard(page: Page, site: Site, tab: string): Promise<Person> {
  const admin = makeAdmin(site);
  const answer = await page.request.post(`${site.url}/api/auth/sign-in`, {
    data: { identifier: admin.email, password: admin.password },
  });
  await expect(answer, await answer.text()).toBeOK();
  await page.goto(`${site.url}/admin?tab=${tab}`);
  await expect(page.getByRole("tab", { selected: true })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  return admin;
}

/** The dialog of a row that is there. */
export async function editRow(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Edit / });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Adds an artist behind the page's back, as the admin who is signed in there. */
export async function addArtist(page: Page, site: Site, name: string): Promise<void> {
  const answer = await page.request.post(`${site.url}/api/admin/artists`, { data: { name } });
  await expect(answer, await answer.text()).toBeOK();
}
