// What the desk's address can say.
import { searchText } from "../tabIds.ts";

const PARTS = ["state", "tag", "score", "sender", "answered", "overdue", "q", "demo"] as const;

/** Which demos are listed, and which one is open. */
export type DeskSearch = { [Part in (typeof PARTS)[number]]?: string | undefined };

/** The address's parts as texts, which may look like numbers; the others are said to be missing. */
export function deskSearchOf(search: Record<string, unknown>): DeskSearch {
  return Object.fromEntries(PARTS.map((part) => [part, searchText(search[part])]));
}
