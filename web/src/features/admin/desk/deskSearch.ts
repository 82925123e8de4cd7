import { searchText } from "../tabIds.ts";

export const FILTERS = ["q", "state", "tag", "score", "sender", "answered", "overdue"] as const;

export type DeskAsked = { [Part in (typeof FILTERS)[number]]?: string };

export type DeskSearch = { [Part in keyof DeskAsked | "demo"]?: string | undefined };

/** The parameters as text; missing ones are explicitly undefined. */
export function deskSearchOf(search: Record<string, unknown>): DeskSearch {
  return Object.fromEntries([...FILTERS, "demo"].map((part) => [part, searchText(search[part])]));
}
