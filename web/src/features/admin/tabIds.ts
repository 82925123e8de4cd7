// The dashboard's tabs by their names in the address, in their order. What they show is in `tabs.ts`.

export const TAB_IDS = [
  "content",
  "artists",
  "releases",
  "store",
  "media",
  "newsletter",
  "analytics",
  "terminal",
  "security",
] as const;

export type TabId = (typeof TAB_IDS)[number];

/** The page that a tab can put into maintenance. */
export function pageKeyOf(id: TabId): string {
  return id === "content" ? "home" : id;
}
