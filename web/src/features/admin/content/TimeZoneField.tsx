// The label's time zone: the browser's names beside its text, and the time there now.
import { isZone } from "../../../api/labelZone.ts";
import { dayAndTime } from "../../../ui/dates.ts";
import { useClock } from "../../../ui/useClock.ts";

/** The zone of this device, which is often the label's. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function ZoneNames({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {Intl.supportedValuesOf("timeZone").map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

export function ZonePreview({ zone }: { zone: string }) {
  const now = useClock(true);
  if (!isZone(zone)) return <p className="mt-4">This browser knows no time zone of that name.</p>;
  return (
    <p className="mt-4 text-ink tabular-nums">
      It is {dayAndTime(now, zone)} in {zone}.
    </p>
  );
}
