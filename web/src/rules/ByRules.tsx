// A text that the rules make of something, drawn again once they are there.
import { type Rules, withRules } from "./rules.ts";
import { useRules } from "./useRules.ts";

interface ByRulesProps {
  ask: (rules: Rules) => string;
  /** Shown while the rules are not there. */
  without: string;
}

export function ByRules({ ask, without }: ByRulesProps) {
  useRules();
  return withRules(ask) ?? without;
}
