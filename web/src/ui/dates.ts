// Days and times in this place's time, days in the form of the catalogue's dates: 2026.11.20.

const DAY = new Intl.DateTimeFormat("sv-SE");
const MINUTE = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });
const SECOND = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

type Moment = string | number;

export function day(at: Moment): string {
  return written(DAY, at);
}

export function dayAndTime(at: Moment): string {
  return written(MINUTE, at);
}

export function dayAndSecond(at: Moment): string {
  return written(SECOND, at);
}

/** Such as 17:05:00. */
export function timeOfDay(at: Moment): string {
  return CLOCK.format(new Date(at));
}

function written(format: Intl.DateTimeFormat, at: Moment): string {
  return format.format(new Date(at)).replaceAll("-", ".");
}
