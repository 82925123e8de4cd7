import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/**
 * The time in milliseconds, updated every second while something is counted down, and at once when that changes.
 * `counted` is a moment, or whether there is one.
 */
export function useClock(counted: number | boolean | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (counted === undefined || counted === false) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    // Hidden pages tick late or never.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [counted]);
  return now;
}
