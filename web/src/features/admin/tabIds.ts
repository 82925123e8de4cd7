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

/** What the address can say of a list. */
export const LIST_PARTS = ["q", "sort", "state"] as const;

type ListPart = (typeof LIST_PARTS)[number];

/** What the address says of the lists of a tab; the demos are the second list of theirs. */
export type ListsSearch = { [Part in ListPart | `demo_${ListPart}`]?: string | undefined };

/** What an address says of the lists; what it says in no way that is understood is said to be missing. */
export function listsSearchOf(search: Record<string, unknown>): ListsSearch {
  return Object.fromEntries(
    LIST_PARTS.flatMap((part) => [part, `demo_${part}`]).map((name) => [
      name,
      searchText(search[name]),
    ]),
  );
}

/** The text of a part of an address; what looks like a number or like yes and no is read as one by the router. */
export function searchText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
