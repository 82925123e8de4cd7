import { withRules } from "../rules/rules.ts";
import { useClock } from "../ui/useClock.ts";

/** Whole seconds until a moment; 0 once it has passed, or without one. */
export function useWait(untilMs: number | undefined): number {
  const now = useClock(untilMs);
  if (untilMs === undefined) return 0;
  return (
    withRules((rules) => rules.remainingSeconds(untilMs, now)) ??
    Math.max(0, Math.ceil((untilMs - now) / 1_000))
  );
}
