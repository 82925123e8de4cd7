// A countdown in whole seconds.
import { useEffect, useState } from "react";
import { withRules } from "../rules/rules.ts";

/** Seconds until the moment, 0 once it is there or when there is none. */
export function useWait(untilMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  const wait =
    untilMs === undefined
      ? 0
      : (withRules((rules) => rules.remainingSeconds(untilMs, now)) ??
        Math.max(0, Math.ceil((untilMs - now) / 1_000)));
  useEffect(() => {
    if (untilMs === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return wait;
}
