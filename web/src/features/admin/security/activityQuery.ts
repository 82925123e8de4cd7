// The audit log, as the server tells it.
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";

export type ActivityEntry = Schemas["ActivityEntry"];

export const ACTIVITY_PATH = "/api/admin/activity";

/** Much is written to the log that no event speaks of: it is read whenever it is looked at. */
export const ACTIVITY_STALE_MS = 0;

export const filtersQuery = {
  ...readQuery("/api/admin/activity/filters", {}),
  staleTime: ACTIVITY_STALE_MS,
};

/** Kinds of the OWASP vocabulary that tell of something refused, or of somebody who should not have tried. */
const REFUSALS = /_(fail|locked?|burned|reuse|validation)$|^(malicious|excess)_/;

export function tellsOfRefusal({ kind }: ActivityEntry): boolean {
  return REFUSALS.test(kind);
}

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
