// The clock, for what is counted down.
import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/** Milliseconds of the clock, drawn anew every second while something is counted down. */
export function useClock(isCounting: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    // Hidden pages tick late or never; who comes back must not see the old number.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [isCounting]);
  return now;
}

/** Seconds as they are shown beside a key that waits: `59s`, `14m 30s`. */
export function waitLabel(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return seconds < 100 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}
