// How much of a demo was heard: what was played, not what was jumped over.

import { HEARD_AFTER_MS } from "../../../../rules/generated/constants.ts";

/** The longest step between two reports of a player that runs; a longer one is a jump. */
const LONGEST_STEP_SECONDS = 2;

export interface HeardClock {
  /** Of the demo, all its tracks together. */
  seconds: number;
  /** Where the player was last; undefined where it was just put somewhere. */
  at: number | undefined;
}

export const UNHEARD: HeardClock = { seconds: 0, at: undefined };

/** The clock after the player has come to a place by playing. */
export function played(clock: HeardClock, at: number): HeardClock {
  const step = clock.at === undefined ? 0 : at - clock.at;
  const isPlay = step > 0 && step <= LONGEST_STEP_SECONDS;
  return { seconds: clock.seconds + (isPlay ? step : 0), at };
}

/** The clock after the player was put somewhere else, or stopped. */
export function moved({ seconds }: HeardClock): HeardClock {
  return { seconds, at: undefined };
}

export function isHeard({ seconds }: HeardClock): boolean {
  return seconds * 1_000 >= HEARD_AFTER_MS;
}
