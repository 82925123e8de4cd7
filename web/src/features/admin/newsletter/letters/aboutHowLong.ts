import { counted } from "../../grouped.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** A span in its largest unit, rounded up, such as "9 minutes". */
export function aboutHowLong(seconds: number): string {
  // Below two of a unit the smaller one says more.
  const [name, one] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ["second", 1];
  return counted(Math.max(1, Math.ceil(seconds / one)), name);
}
