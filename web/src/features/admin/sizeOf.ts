// The size of a file as text; rounded without the rules.
import { withRules } from "../../rules/rules.ts";
import { wholeSize } from "../../ui/measures.ts";

export function sizeOf(bytes: number): string {
  return withRules((rules) => rules.sizeLabel(bytes)) ?? wholeSize(bytes);
}
