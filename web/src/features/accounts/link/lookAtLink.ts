// What a mailed link would do, asked of the server. Asking spends nothing.
import { call } from "../../../api/client.ts";
import type { components } from "../../../api/types/api.ts";

export type LinkView = components["schemas"]["LinkView"];
export type LinkType = LinkView["type"];

/** Throws `ApiError` for a link that opens nothing. */
export function lookAtLink(type: LinkType, token: string): Promise<LinkView> {
  return call("POST", "/api/auth/link", { body: { type, token } });
}

/** True where the page goes on without a question: this browser asked for the link, and it is nobody else's now. */
export function isOwnLink(view: LinkView): boolean {
  return view.asked_here && !view.signed_in_as_other;
}
