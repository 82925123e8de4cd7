// How large a file is, as the rules say it.
import { withRules } from "../../rules/rules.ts";

export function sizeOf(bytes: number): string {
  return withRules((rules) => rules.sizeLabel(bytes)) ?? `${bytes} Bytes`;
}
