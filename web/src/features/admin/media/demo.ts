// A demo that was sent to the label, as the server tells it.
import type { Sent } from "../../../api/sent.ts";
import type { Schemas } from "../editing/kind.ts";

export type Demo = Sent<Schemas["SubmittedDemo"]>;

export const DEMOS_PATH = "/api/admin/demos";

/** The demo's file; the server names it for whoever keeps it. */
export function fileOf({ id }: Demo): string {
  return `${DEMOS_PATH}/${id}/file`;
}

/** True for what can be heard in place; an archive cannot. */
export function isSound({ content_type }: Demo): boolean {
  return content_type.startsWith("audio/");
}
