// The clock, for what is counted down.
import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/**
 * Milliseconds of the clock, drawn anew every second while something is counted down, and at once when something else
 * is. `counted` says what: a moment, or whether there is one.
 */
export function useClock(counted: number | boolean | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (counted === undefined || counted === false) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    // Hidden pages tick late or never; who comes back must not see the old number.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [counted]);
  return now;
}
