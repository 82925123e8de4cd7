// The events of the last two weeks, a bar per day; the part that failed in the signal.
import type { SignupEvent } from "../../../session/signupEvents.ts";
import { day as dayLabel } from "../../../ui/dates.ts";

const DAYS = 14;

interface Day {
  label: string;
  all: number;
  failed: number;
}

export function DayChart({ events, now }: { events: readonly SignupEvent[]; now: number }) {
  const days = countByDay(events, now);
  const highest = Math.max(1, ...days.map(({ all }) => all));
  const sum = days.reduce((total, { all }) => total + all, 0);
  return (
    <figure className="px-gutter py-6">
      <figcaption className="type-label mb-4 text-dim uppercase">
        Events per day, last {DAYS} days
      </figcaption>
      <svg
        role="img"
        aria-label={`${sum} events in the last ${DAYS} days, at most ${highest} on one`}
        viewBox={`0 0 ${DAYS * 10} 40`}
        preserveAspectRatio="none"
        className="h-32 w-full border-hairline border-b"
      >
        {days.map(({ label, all, failed }, day) => (
          <g key={label} transform={`translate(${day * 10 + 1} 0)`}>
            <title>{`${label}: ${all}, ${failed} failed`}</title>
            <Bar part={all / highest} className="fill-ink" />
            <Bar part={failed / highest} className="fill-signal" />
          </g>
        ))}
      </svg>
      <div
        aria-hidden="true"
        className="type-label mt-2 flex justify-between text-dim tabular-nums"
      >
        <span>{days[0]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </div>
    </figure>
  );
}

function Bar({ part, className }: { part: number; className: string }) {
  return <rect width="8" y={40 - part * 40} height={part * 40} className={className} />;
}

/** Days of the reader's own calendar, the oldest first. */
function countByDay(events: readonly SignupEvent[], now: number): Day[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now);
    day.setDate(day.getDate() - (DAYS - 1 - index));
    const label = dayLabel(day.getTime());
    const own = events.filter(
      ({ timestamp }) => new Date(timestamp).toDateString() === day.toDateString(),
    );
    return {
      label,
      all: own.length,
      failed: own.filter(({ event }) => /error|exception/.test(event)).length,
    };
  });
}
