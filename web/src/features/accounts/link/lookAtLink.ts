// Asks the server what a mailed link would do, without using it.
import { call } from "../../../api/client.ts";
import type { components } from "../../../api/types/api.ts";

export type LinkView = components["schemas"]["LinkView"];
export type LinkType = LinkView["type"];

/** Throws `ApiError` for a link that opens nothing. */
export function lookAtLink(type: LinkType, token: string): Promise<LinkView> {
  return call("POST", "/api/auth/link", { body: { type, token } });
}

/** True if the page goes on without a question: this browser asked for the link, and no other account is signed in. */
export function isOwnLink(view: LinkView): boolean {
  return view.asked_here && !view.signed_in_as_other;
}
