import { useEffect, useState } from "react";
import { MAINTENANCE_WAIT_MS } from "../rules/generated/constants.ts";

/** True once a read has taken longer than MAINTENANCE_WAIT_MS, until it ends; callers then render without it. */
export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), MAINTENANCE_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate;
}
