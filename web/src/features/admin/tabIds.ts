// The names of the dashboard's tabs in the address, in their order. Kept apart from the tabs themselves for the route map.

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

/** The page that a tab can close for maintenance. */
export function pageKeyOf(id: TabId): string {
  return id === "content" ? "home" : id;
}

export const LIST_PARTS = ["q", "sort", "state"] as const;

type ListPart = (typeof LIST_PARTS)[number];

/** The parameters of a tab's lists; the demos are a second list. */
export type ListsSearch = { [Part in ListPart | `demo_${ListPart}`]?: string | undefined };

/** The parameters as text; missing ones are explicitly undefined. */
export function listsSearchOf(search: Record<string, unknown>): ListsSearch {
  return Object.fromEntries(
    LIST_PARTS.flatMap((part) => [part, `demo_${part}`]).map((name) => [
      name,
      searchText(search[name]),
    ]),
  );
}

/** Undoes the router's reading of numbers and booleans. */
export function searchText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
