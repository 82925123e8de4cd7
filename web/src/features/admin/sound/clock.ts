// Lengths and places along a recording, as they are written and as they are said.

/** Such as 3:12, and 1:03:12 from an hour on; seconds rounded down. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  if (whole < 3_600) return `${minutes}:${rest}`;
  return `${Math.floor(whole / 3_600)}:${String(minutes).padStart(2, "0")}:${rest}`;
}
