// The guard of personal pages.
import { useState } from "react";
import type { SessionUser } from "./sessionQuery.ts";
import { useAuth } from "./useAuth.ts";

type Member =
  | { at: "loading" }
  | { at: "unreachable" }
  /** No session: the page leads elsewhere. */
  | { at: "visitor" }
  /** Signed in, but the second factor is missing: the server refuses everything else. */
  | { at: "pending"; user: SessionUser }
  /**
   * Signed in. The page stays open when the session ends, so that nothing typed is lost while they sign in again;
   * `isEnded` says so.
   */
  | { at: "member"; user: SessionUser; isEnded: boolean };

export function useMember(): Member {
  const { user, ended, isKnown, mfaRequired } = useAuth();
  const isUnreachable = useUnreachable();
  if (!isKnown) return { at: isUnreachable ? "unreachable" : "loading" };
  // The first of two steps of a return keeps the page.
  if (ended) return { at: "member", user: ended, isEnded: true };
  if (!user) return { at: "visitor" };
  return mfaRequired ? { at: "pending", user } : { at: "member", user, isEnded: false };
}

/** True from the first failed check of the session until one succeeds, while nothing is known of the session. */
export function useUnreachable(): boolean {
  const { isKnown, isFailing } = useAuth();
  const [hasFailed, setHasFailed] = useState(false);
  if (!isKnown && isFailing && !hasFailed) setHasFailed(true);
  return !isKnown && hasFailed;
}
