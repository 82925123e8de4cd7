const UNITS = [
  { name: "day", seconds: 86_400 },
  { name: "hour", seconds: 3_600 },
  { name: "minute", seconds: 60 },
  { name: "second", seconds: 1 },
];

/** A span in its largest unit, rounded up, such as "9 minutes". */
export function aboutHowLong(seconds: number): string {
  // Below two of a unit the smaller one says more.
  const unit = UNITS.find(({ seconds: one }) => seconds >= 2 * one) ?? {
    name: "second",
    seconds: 1,
  };
  const count = Math.max(1, Math.ceil(seconds / unit.seconds));
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}
