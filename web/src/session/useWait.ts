// A countdown in whole seconds.
import { withRules } from "../rules/rules.ts";
import { useClock } from "../ui/useClock.ts";

/** Seconds until the moment, 0 once it is there or when there is none. */
export function useWait(untilMs: number | undefined): number {
  const now = useClock(untilMs);
  if (untilMs === undefined) return 0;
  return (
    withRules((rules) => rules.remainingSeconds(untilMs, now)) ??
    Math.max(0, Math.ceil((untilMs - now) / 1_000))
  );
}
