// Instants as local inputs have them: without a zone, in whole minutes.

/** For an input of type datetime-local; empty if it is no instant. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  const two = (number: number) => String(number).padStart(2, "0");
  const year = String(at.getFullYear()).padStart(4, "0");
  return `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** RFC 3339 in UTC; empty for an empty input. */
export function fromLocalInput(typed: string): string {
  const at = new Date(typed);
  return typed === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
