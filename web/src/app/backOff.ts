// How long to wait before asking again. The numbers are a rule; until the rules are loaded the
// page asks at a steady pace.
import { withRules } from "../rules/rules.ts";

/** Pace while the rules are not here. No rule: it only keeps a page that is alone trying. */
const STEADY_PACE_MS = 3_000;

/** The stated wait after so many failures in a row, or undefined while the rules are not loaded. */
export function statedWait(failures: number): number | undefined {
  return withRules((rules) => rules.reconnectDelayMs(failures));
}

/** The wait after so many failures in a row, whatever is loaded. */
export function waitBefore(failures: number): number {
  return statedWait(failures) ?? STEADY_PACE_MS;
}
