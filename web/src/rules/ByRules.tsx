import { type Rules, withRules } from "./rules.ts";
import { useRules } from "./useRules.ts";

interface ByRulesProps {
  ask: (rules: Rules) => string;
  /** Shown without the rules. */
  without: string;
}

export function ByRules({ ask, without }: ByRulesProps) {
  useRules();
  return withRules(ask) ?? without;
}
