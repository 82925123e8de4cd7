// Mailed links carry a one-time token in the fragment. It is removed from the address bar first, so that it ends up in
// no history, screenshot or referrer, and kept in memory until it is redeemed.
import { redirect } from "@tanstack/react-router";
import { createAtom, useSelector } from "@tanstack/react-store";

export interface MailedLink {
  readonly fragment: string;
  readonly query: string;
  readonly type: string | undefined;
  /** Empty if absent. */
  readonly token: string;
}

const NO_LINK: MailedLink = { fragment: "", query: "", type: undefined, token: "" };

const held = createAtom(NO_LINK);

/** For the routes of mailed links: holds what the address carries, and redirects to the bare address. */
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
    // A reload forgets the link, but not its kind.
    ...(type && { state: { mailedLink: type } }),
  });
}

/** Forgets the link. */
export function dropMailedLink(): void {
  held.set(NO_LINK);
}

/** The link this page was opened by. */
export function useMailedLink(): MailedLink {
  return useSelector(held);
}
