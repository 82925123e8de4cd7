// How much of a demo was played, skipped parts left out.
import { HEARD_AFTER_MS } from "../../../../rules/generated/constants.ts";

/** A longer step between two reports of a player is a jump. */
const LONGEST_STEP_SECONDS = 2;

export interface HeardClock {
  seconds: number;
  /** The last reported position; undefined after a jump. */
  at: number | undefined;
}

export const UNHEARD: HeardClock = { seconds: 0, at: undefined };

/** After the player reported a position while playing. */
export function played(clock: HeardClock, at: number): HeardClock {
  const step = clock.at === undefined ? 0 : at - clock.at;
  const isPlay = step > 0 && step <= LONGEST_STEP_SECONDS;
  return { seconds: clock.seconds + (isPlay ? step : 0), at };
}

/** After a jump or a pause. */
export function moved({ seconds }: HeardClock): HeardClock {
  return { seconds, at: undefined };
}

export function isHeard({ seconds }: HeardClock): boolean {
  return seconds * 1_000 >= HEARD_AFTER_MS;
}
