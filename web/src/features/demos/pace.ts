/** The averaging time: shorter jumps about, longer lags. */
const MEMORY_MS = 4_000;
/** No speed is shown before this: the first bytes fill the machine's buffers. */
const SETTLED_MS = 1_500;

/** A line that stands still for longer has no speed. */
const STILL_MS = 5_000;

export interface Pace {
  since: number;
  at: number;
  sent: number;
  bytesPerSecond: number | undefined;
}

export function paceFrom(sent: number, now: number): Pace {
  return { since: now, at: now, sent, bytesPerSecond: undefined };
}

export function paceWith(pace: Pace, sent: number, now: number): Pace {
  const passed = now - pace.at;
  if (passed < 200) return pace;
  // A break took back bytes that had not arrived.
  if (sent < pace.sent) return paceFrom(sent, now);
  const measured = ((sent - pace.sent) / passed) * 1_000;
  const fresh = 1 - Math.exp(-passed / MEMORY_MS);
  const bytesPerSecond =
    pace.bytesPerSecond === undefined
      ? measured
      : pace.bytesPerSecond + (measured - pace.bytesPerSecond) * fresh;
  return { since: pace.since, at: now, sent, bytesPerSecond };
}

export function isStill(pace: Pace, now: number): boolean {
  return now - pace.at > STILL_MS;
}

export function speedOf(pace: Pace): number | undefined {
  return pace.at - pace.since < SETTLED_MS ? undefined : pace.bytesPerSecond;
}

/** Seconds for the rest, rounded up; undefined if unknown. */
export function secondsLeft(pace: Pace, total: number): number | undefined {
  const speed = speedOf(pace);
  return speed === undefined || speed < 1 ? undefined : Math.ceil((total - pace.sent) / speed);
}
