// The guard of pages that belong to a signed-in person.
import type { SessionUser } from "./types.ts";
import { useAuth } from "./useAuth.ts";
import { useUnreachable } from "./useUnreachable.ts";

export type Member =
  /** It is not known yet who is here. */
  | { at: "loading" }
  /** The server cannot be asked. */
  | { at: "unreachable" }
  /** Nobody is signed in: the page leads elsewhere. */
  | { at: "visitor" }
  /** Signed in, but the second factor is still to be given: the server refuses everything else. */
  | { at: "pending"; user: SessionUser }
  /**
   * The page is theirs. It stays theirs when the session ends while it is open, so that nothing typed is lost while
   * they sign in again; `isEnded` says so.
   */
  | { at: "member"; user: SessionUser; isEnded: boolean };

export function useMember(): Member {
  const { user, ended, isKnown, mfaRequired } = useAuth();
  const isUnreachable = useUnreachable();
  if (!isKnown) return { at: isUnreachable ? "unreachable" : "loading" };
  // Somebody who is coming back has not lost the page by the first of two steps.
  if (ended) return { at: "member", user: ended, isEnded: true };
  if (!user) return { at: "visitor" };
  return mfaRequired ? { at: "pending", user } : { at: "member", user, isEnded: false };
}
