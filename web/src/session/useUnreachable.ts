// Whether a page of one person has to wait for a server that does not answer.
import { useState } from "react";
import { useAuth } from "./useAuth.ts";

/** True from the first check of the session that failed until one is answered, while nothing is known of the session. */
export function useUnreachable(): boolean {
  const { isKnown, isFailing } = useAuth();
  const [hasFailed, setHasFailed] = useState(false);
  if (!isKnown && isFailing && !hasFailed) setHasFailed(true);
  return !isKnown && hasFailed;
}
