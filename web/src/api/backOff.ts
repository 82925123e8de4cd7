import { RECONNECT_MS } from "../rules/generated/constants.ts";

/** The milliseconds to wait after so many failures in a row. */
export function reconnectDelayMs(failures: number): number {
  return RECONNECT_MS[failures] ?? RECONNECT_MS[3];
}
