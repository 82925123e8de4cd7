import { searchText } from "../tabIds.ts";

const PARTS = ["state", "tag", "score", "sender", "answered", "overdue", "q", "demo"] as const;

export type DeskSearch = { [Part in (typeof PARTS)[number]]?: string | undefined };

/** The parameters as text; missing ones are explicitly undefined. */
export function deskSearchOf(search: Record<string, unknown>): DeskSearch {
  return Object.fromEntries(PARTS.map((part) => [part, searchText(search[part])]));
}
