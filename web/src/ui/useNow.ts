// The clock, for what is said of ages.
import { useEffect, useState } from "react";

const STEP_MS = 3_600_000;

/** Milliseconds of the clock, drawn anew every hour, and when a page that was hidden longer is seen again. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    // Hidden pages tick late or never.
    const look = () => setNow((last) => (Date.now() - last < STEP_MS ? last : Date.now()));
    const timer = setInterval(look, STEP_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return now;
}
