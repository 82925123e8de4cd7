// The sign-ups made in this browser: counters, a chart of the last days, the newest events. Below, the label's visits.
import { useSyncExternalStore } from "react";
import { withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { type SignupEvent, signupEvents } from "../../../session/signupEvents.ts";
import { dayAndSecond, day as dayLabel } from "../../../ui/dates.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { Visits } from "./Visits.tsx";

const SHOWN = 50;

export function Tab() {
  const kept = useSyncExternalStore(signupEvents.subscribe, signupEvents.get);
  useRules();
  const events = kept.toSorted((a, b) => b.timestamp - a.timestamp).slice(0, SHOWN);
  const now = Date.now();
  const counters = withRules((rules) => rules.signupCounters(kept, now));
  return (
    <>
      <header className="border-hairline border-b px-gutter pt-7 pb-5">
        <h2 className="type-heading">Sign-up Analytics</h2>
        <p className="mt-3 max-w-[64ch] text-dim">
          Sign-ups made in this browser, and no others: the events are kept here, never sent, and
          hold no address.
        </p>
      </header>
      {counters && (
        <dl className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-5">
          <Counter name="Total" count={counters.total} />
          <Counter name="Success" count={counters.success} />
          <Counter name="Rate Limited" count={counters.rate_limited} />
          <Counter name="Errors" count={counters.errors} isBad={counters.errors > 0} />
          <Counter name="Last 24 Hours" count={counters.last_24_hours} />
        </dl>
      )}
      {events.length === 0 ? (
        <Notice>No events in this browser yet</Notice>
      ) : (
        <>
          <DayChart events={events} now={now} />
          <h3 className="type-label border-hairline border-t px-gutter pt-6 pb-3 uppercase">
            Recent Events
          </h3>
          <ol aria-label="Recent Events" className="border-hairline border-t text-[0.75rem]">
            {events.map((event, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: events are written once, and two may be alike
              <EventRow key={`${event.timestamp} ${index}`} event={event} />
            ))}
          </ol>
        </>
      )}
      <Visits />
    </>
  );
}

interface CounterProps {
  name: string;
  count: number;
  isBad?: boolean;
}

function Counter({ name, count, isBad = false }: CounterProps) {
  return (
    <div className="flex flex-col gap-2 px-gutter py-5">
      <dt className="type-label text-dim uppercase">{name}</dt>
      <dd className={`type-heading tabular-nums ${isBad ? "text-signal" : ""}`}>{count}</dd>
    </div>
  );
}

function EventRow({ event: { event, timestamp, data } }: { event: SignupEvent }) {
  const facts = [
    data.email_domain,
    data.attempts !== null && `attempt ${data.attempts}`,
    data.retryAfter !== null && `wait ${data.retryAfter} s`,
  ].filter(Boolean);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-hairline border-b px-gutter py-2 sm:grid-cols-[14rem_minmax(0,1fr)_auto]">
      <span className={/error|exception/.test(event) ? "text-signal" : ""}>{event}</span>
      <span className="col-span-2 row-start-2 text-dim sm:col-span-1 sm:row-start-auto">
        {facts.join(", ")}
      </span>
      <time
        dateTime={new Date(timestamp).toISOString()}
        className="text-right text-dim tabular-nums"
      >
        {dayAndSecond(timestamp)}
      </time>
    </li>
  );
}

const DAYS = 14;

interface Day {
  label: string;
  all: number;
  failed: number;
}

function DayChart({ events, now }: { events: readonly SignupEvent[]; now: number }) {
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

/** Days in the reader's time zone, the oldest first. */
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
