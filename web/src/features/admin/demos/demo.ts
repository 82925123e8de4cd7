// A demo that was sent to the label, as the server tells it.
import { call, type Schemas } from "../../../api/client.ts";
import { type RowsCalls, rowsOf } from "../lists/rowsCalls.ts";

export type Demo = Schemas["SubmittedDemo"];

const DEMOS_PATH = "/api/admin/demos";

export const demoCalls: RowsCalls<Demo> = {
  path: DEMOS_PATH,
  list: rowsOf("/api/admin/demos"),
  remove: (id) => call("DELETE", "/api/admin/demos/{id}", { params: { path: { id } } }),
  // As many as the server gives at once.
  sizes: { first: 100, next: 100 },
};

/** The demo's file; the server names it for whoever keeps it. */
export function fileOf({ id }: Demo): string {
  return `${DEMOS_PATH}/${id}/file`;
}

/** True for what can be heard in place; an archive cannot. */
export function isSound({ content_type }: Demo): boolean {
  return content_type.startsWith("audio/");
}

/** A link that writes to an address and says nothing else: what its local part holds is no field of the letter. */
export function mailTo(email: string): string {
  const at = email.lastIndexOf("@");
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
