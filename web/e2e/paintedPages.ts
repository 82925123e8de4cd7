// The public pages as they arrive painted, and what their lists hold.
import type { Page } from "@playwright/test";
import type { Site } from "./site.ts";
import { expect } from "./test.ts";

export const PAGES = [
  { path: "/", words: [/./] },
  { path: "/releases", words: [/^RELEASES$/] },
  { path: "/artists", words: [/^ARTISTS$/] },
  { path: "/store", words: [/COMING SOON/] },
  { path: "/terminal", words: [/^TERMINAL$/] },
  { path: "/contact", words: [/CONTACT US/] },
  { path: "/privacy-policy", words: [/PRIVACY POLICY/] },
  { path: "/signup", words: [/SIGN UP/] },
] as const;

interface Listed {
  items: {
    id: string;
    title: string;
    name: string;
    slug: string;
    embed_url: string | null;
    artist: { id: string } | null;
  }[];
  next_cursor: string;
}

export async function read(site: Site, path: string): Promise<Listed> {
  return (await (await fetch(`${site.url}${path}`)).json()) as Listed;
}

/** Where the list of releases goes on after its first few. */
export async function laterReleases(
  site: Site,
): Promise<{ path: string; newest: string; later: string }> {
  const first = await read(site, "/api/releases?limit=5");
  const later = await read(site, `/api/releases?limit=5&cursor=${first.next_cursor}`);
  return {
    path: `/releases?cursor=${first.next_cursor}`,
    newest: first.items[0]?.title ?? "",
    later: later.items[0]?.title ?? "",
  };
}

/** Opens a page as it arrives painted. On a busy machine a late page is served unpainted, and painted soon after. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: "commit" });
  await untilPainted(page);
}

/** Asks again for the page that is open until it comes painted. */
export async function untilPainted(page: Page): Promise<void> {
  await expect(async () => {
    const root = page.locator("#root");
    await root.waitFor({ state: "attached" });
    if ((await root.getAttribute("data-painted")) === null)
      await page.reload({ waitUntil: "commit" });
    await expect(root).toHaveAttribute("data-painted", { timeout: 1_000 });
  }).toPass();
}
