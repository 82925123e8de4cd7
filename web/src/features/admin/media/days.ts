// When a file came, in words.

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function day(at: string): string {
  return DAY.format(new Date(at));
}

export function dayAndTime(at: string): string {
  return MINUTE.format(new Date(at));
}
