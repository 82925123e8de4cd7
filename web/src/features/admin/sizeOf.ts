// How large a file is, as the rules say it; roughly where they are not there.
import { withRules } from "../../rules/rules.ts";
import { wholeSize } from "../../ui/measures.ts";

export function sizeOf(bytes: number): string {
  return withRules((rules) => rules.sizeLabel(bytes)) ?? wholeSize(bytes);
}
