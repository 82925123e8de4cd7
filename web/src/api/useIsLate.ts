// Waiting that has lasted too long.
import { useEffect, useState } from "react";

/**
 * A read that takes this long is gone on without. The rule of the maintenance setting says so too (`maintenanceView`),
 * but pages must not wait for the rules; a test holds the two together.
 */
export const PATIENCE_MS = 5_000;

/** True once waiting has lasted too long. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLate;
}
