// The guard of personal pages.
import { useState } from "react";
import { useAuth } from "./useAuth.ts";

/** "pending" has signed in without the second factor: the server refuses everything else. */
type Member = "loading" | "unreachable" | "visitor" | "pending" | "member";

export function useMember(): Member {
  const { user, ended, isKnown, mfaRequired } = useAuth();
  const isUnreachable = useUnreachable();
  if (!isKnown) return isUnreachable ? "unreachable" : "loading";
  // The page outlives its session, and the first of two steps of a return, so that nothing typed is lost.
  if (ended) return "member";
  if (!user) return "visitor";
  return mfaRequired ? "pending" : "member";
}

/** True from the first failed check of the session until one succeeds, while nothing is known of the session. */
export function useUnreachable(): boolean {
  const { isKnown, isFailing } = useAuth();
  const [hasFailed, setHasFailed] = useState(false);
  if (!isKnown && isFailing && !hasFailed) setHasFailed(true);
  return !isKnown && hasFailed;
}
