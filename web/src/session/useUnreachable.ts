import { useState } from "react";
import { useAuth } from "./useAuth.ts";

/** True from the first failed check of the session until one succeeds, while nothing is known of the session. */
export function useUnreachable(): boolean {
  const { isKnown, isFailing } = useAuth();
  const [hasFailed, setHasFailed] = useState(false);
  if (!isKnown && isFailing && !hasFailed) setHasFailed(true);
  return !isKnown && hasFailed;
}
