// How fast an upload goes and how long it takes from here, from what was sent when.

/** How far back the speed looks; shorter jumps about, longer lags behind the line. */
const MEMORY_MS = 4_000;
/** A speed is said only after so much time: the first bytes fill the machine's own buffers. */
const SETTLED_MS = 1_500;

export interface Pace {
  /** When counting began, and the last count. */
  since: number;
  at: number;
  sent: number;
  bytesPerSecond: number | undefined;
}

/** The pace before anything moved. */
export function paceFrom(sent: number, now: number): Pace {
  return { since: now, at: now, sent, bytesPerSecond: undefined };
}

/** The pace with one more count, older ones fading. */
export function paceWith(pace: Pace, sent: number, now: number): Pace {
  const passed = now - pace.at;
  // Counts that come together say nothing about speed.
  if (passed < 200) return pace;
  // Less than before: a break took back what had not arrived.
  if (sent < pace.sent) return paceFrom(sent, now);
  const measured = ((sent - pace.sent) / passed) * 1_000;
  const fresh = 1 - Math.exp(-passed / MEMORY_MS);
  const bytesPerSecond =
    pace.bytesPerSecond === undefined
      ? measured
      : pace.bytesPerSecond + (measured - pace.bytesPerSecond) * fresh;
  return { since: pace.since, at: now, sent, bytesPerSecond };
}

/** Bytes in a second, once that can be said. */
export function speedOf(pace: Pace): number | undefined {
  return pace.at - pace.since < SETTLED_MS ? undefined : pace.bytesPerSecond;
}

/** Seconds for the rest, rounded up; undefined where nobody can tell. */
export function secondsLeft(pace: Pace, total: number): number | undefined {
  const speed = speedOf(pace);
  return speed === undefined || speed < 1 ? undefined : Math.ceil((total - pace.sent) / speed);
}
