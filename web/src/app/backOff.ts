// How long to wait before asking again. The numbers are a rule; until the rules are loaded the
// page asks at a steady pace.
import { RETRY_WITHOUT_RULES_MS } from "../rules/generated/constants.ts";
import { withRules } from "../rules/rules.ts";

/** The stated wait after so many failures in a row, or undefined while the rules are not loaded. */
export function statedWait(failures: number): number | undefined {
  return withRules((rules) => rules.reconnectDelayMs(failures));
}

/** The wait after so many failures in a row, whatever is loaded. */
export function waitBefore(failures: number): number {
  return statedWait(failures) ?? RETRY_WITHOUT_RULES_MS;
}
