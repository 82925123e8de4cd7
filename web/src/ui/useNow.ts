import { useEffect, useState } from "react";

const STEP_MS = 3_600_000;

/** The time in milliseconds, updated every hour, and when a page is visible again after longer. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
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
