// The saved versions of a row, as the server tells them.
import { call, type Schemas } from "../../../api/client.ts";
import { said } from "../said.ts";

export type SavedVersion = Schemas["SavedVersion"];
/** What versions are kept of. */
export type VersionKind = "artist" | "release" | "product" | "text" | "site_image";

/** One part of a history, the newest first; the key is the row's id, or the text's key. */
export function readHistory(
  kind: VersionKind,
  key: string,
  cursor: string | null,
  signal: AbortSignal,
) {
  return call("GET", "/api/admin/versions/{kind}/{key}", {
    params: { path: { kind, key }, query: cursor === null ? {} : { cursor } },
    signal,
  });
}

/** The fields of a version as people read them: an artist by the name, and not by the id. */
export function readable({ fields, artist_name }: SavedVersion): Record<string, unknown> {
  return artist_name ? { ...fields, artist_id: artist_name } : fields;
}

/** Saves an older version as a new one, onto the version that is on show. */
export function restoreVersion(kind: VersionKind, key: string, version: number, onto: number) {
  return call("POST", "/api/admin/versions/{kind}/{key}/{version}/restore", {
    params: { path: { kind, key, version }, header: { "if-match": `"${onto}"` } },
  });
}

interface Difference {
  field: string;
  before: string;
  after: string;
}

/** What one version says otherwise than the one before it, field by field. */
export function differences(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
): Difference[] {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
  return fields
    .map((field) => ({ field, before: said(before?.[field]), after: said(after[field]) }))
    .filter((difference) => difference.before !== difference.after);
}
