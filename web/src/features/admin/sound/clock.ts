// Positions and lengths of recordings as text.

/** 3:12, or 1:03:12 from an hour on; rounded down. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  if (whole < 3_600) return `${minutes}:${rest}`;
  return `${Math.floor(whole / 3_600)}:${String(minutes).padStart(2, "0")}:${rest}`;
}
