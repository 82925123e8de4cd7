// The audit log, as the server tells it.
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";

export type ActivityEntry = Schemas["ActivityEntry"];

export const ACTIVITY_PATH = "/api/admin/activity";

export const filtersQuery = readQuery("/api/admin/activity/filters", {});

/** What the log is narrowed to; an empty text narrows nothing. */
export interface ActivityFilter {
  q: string;
  person: string;
  kind: string;
}

/** One part of the log, the newest first. */
export function readActivity(filter: ActivityFilter, cursor: string | null, signal: AbortSignal) {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
  return call("GET", ACTIVITY_PATH, {
    params: { query: { ...given, ...(cursor !== null && { cursor }) } },
    signal,
  });
}
