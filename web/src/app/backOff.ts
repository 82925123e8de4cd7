// How long to wait before asking again. The numbers are a rule; until the rules are loaded the
// page asks at a steady pace.

/** Pace while the rules are not here. No rule: it only keeps a page that is alone trying. */
const STEADY_PACE_MS = 3_000;

type BackOff = (attempt: number) => number;

let backOff: BackOff | undefined;

/** Hands in the rule, once it is loaded: attempt (from 0) to milliseconds. */
export function setStatedBackOff(rule: BackOff): void {
  backOff = rule;
}

/** The stated wait before a try, or undefined while the rules are not loaded. */
export function statedWait(attempt: number): number | undefined {
  return backOff?.(attempt);
}

/** The wait before a try, whatever is loaded. */
export function waitBefore(attempt: number): number {
  return statedWait(attempt) ?? STEADY_PACE_MS;
}
