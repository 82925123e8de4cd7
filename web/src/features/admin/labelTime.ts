// Instants as inputs of type datetime-local have them: by the clock of a zone, which the field names, in whole minutes.
import { dayAndTime, utcOfClock } from "../../ui/dates.ts";

const DAY_MS = 86_400_000;

/** `max` of these inputs: without it browsers take six digits for a year. */
export const INPUT_MAX = "9999-12-31T23:59";

/** Such as 2026.11.20 13:00, Europe/Berlin. */
export function inZone(at: string | number, zone: string): string {
  return `${dayAndTime(at, zone)}, ${zone}`;
}

/** For an input; empty if it is no instant. */
export function toInput(instant: string, zone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : new Date(utcOfClock(at, zone)).toISOString().slice(0, 16);
}

/**
 * RFC 3339 in UTC; empty for an empty input. A time that the zone leaves out counts from before the change, so that 02:30
 * becomes 03:30; of one that comes twice, it is the first. A longer year becomes 9999, which is refused in words.
 */
export function fromInput(typed: string, zone: string): string {
  const wanted = Date.parse(`${typed.replace(/^\d{5,}/, "9999")}Z`);
  if (Number.isNaN(wanted)) return "";
  const [before, after] = [wanted - DAY_MS, wanted + DAY_MS].map(
    (near) => wanted - (utcOfClock(near, zone) - near),
  ) as [number, number];
  const isShownAsTyped = utcOfClock(before, zone) === wanted || utcOfClock(after, zone) !== wanted;
  return new Date(isShownAsTyped ? before : after).toISOString();
}
