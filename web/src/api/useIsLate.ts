// Waiting that has lasted too long.
import { useEffect, useState } from "react";
import { MAINTENANCE_WAIT_MS } from "../rules/generated/constants.ts";

/** True once waiting has lasted too long: any read is gone on without after what the maintenance setting is given. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), MAINTENANCE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLate;
}
