// The links of mails carry a one-time token in the fragment. It is taken out of the address bar before anything else
// happens, so that it ends up in no history, no screenshot and no referrer, and kept in memory until it is redeemed.
import { redirect } from "@tanstack/react-router";
import { createAtom, useSelector } from "@tanstack/react-store";

/** What an address was opened with. */
export interface MailedLink {
  /** With its `#`, or empty. */
  readonly fragment: string;
  /** With its `?`, or empty. */
  readonly query: string;
  /** The kind of link, where the fragment names one. */
  readonly type: string | undefined;
  /** Empty where there is none. */
  readonly token: string;
}

const NO_LINK: MailedLink = { fragment: "", query: "", type: undefined, token: "" };

const held = createAtom(NO_LINK);

/** Part of the routes that mails lead to: holds what the address carries and goes on to the bare one. */
export function takeMailedLink({
  location,
}: {
  location: { pathname: string; publicHref: string };
}) {
  const { search, hash } = new URL(location.publicHref, window.location.origin);
  const fragment = new URLSearchParams(hash.slice(1));
  const isCarrying = fragment.has("token") || fragment.has("error_description");
  if (!isCarrying && !new URLSearchParams(search).has("error_description")) return;
  const type = fragment.get("type") ?? undefined;
  held.set({ fragment: hash, query: search, type, token: fragment.get("token") ?? "" });
  throw redirect({
    to: location.pathname,
    search: {},
    replace: true,
    // A reload forgets the link. What the page was about, it can still say.
    ...(type && { state: { mailedLink: type } }),
  });
}

/** Forgets the link: it was redeemed, or its page was left. */
export function dropMailedLink(): void {
  held.set(NO_LINK);
}

/** The link this page was opened by. */
export function useMailedLink(): MailedLink {
  return useSelector(held);
}
