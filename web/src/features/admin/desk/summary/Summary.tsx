// How the label stands with those who sent something: how many wait, for how long, and what is overdue.
import type { DeskSearch } from "../deskSearch.ts";
import type { DeskSummary } from "../deskTypes.ts";
import { daysText, STATES } from "../states.ts";

interface SummaryProps {
  /** Undefined while it is read. */
  summary: DeskSummary | undefined;
  /** The state that is listed. */
  state: string | undefined;
  write: (parts: DeskSearch) => void;
}

export function Summary({ summary, state, write }: SummaryProps) {
  const waiting = summary?.waiting;
  return (
    <section
      aria-label="Summary"
      aria-busy={summary === undefined}
      className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-4 lg:grid-cols-8"
    >
      {STATES.map(([value, name]) => (
        <button
          key={value}
          type="button"
          aria-pressed={state === value}
          className="flex min-h-11 items-center justify-between gap-x-3 px-gutter py-1.5 text-left sm:min-h-16 sm:flex-col sm:items-start sm:justify-center lg:max-xl:px-4 -outline-offset-2 hover:bg-ink/4 aria-pressed:bg-ink aria-pressed:text-ground"
          onClick={() => write({ state: state === value ? undefined : value })}
        >
          <span className={`type-label uppercase ${state === value ? "" : "text-dim"}`}>
            {name}
          </span>
          <span className="type-row tabular-nums">{summary?.counts[value] ?? "–"}</span>
        </button>
      ))}
      <Figure name="Median wait">{days(waiting?.median_days)}</Figure>
      <Figure name="Oldest">{days(waiting?.oldest_days)}</Figure>
      <Figure name="Overdue" isSignal={(waiting?.overdue ?? 0) > 0}>
        {waiting?.overdue ?? "–"}
      </Figure>
    </section>
  );
}

interface FigureProps {
  name: string;
  isSignal?: boolean;
  children: string | number;
}

function Figure({ name, isSignal = false, children }: FigureProps) {
  return (
    <dl className="flex min-h-11 items-center justify-between gap-x-3 px-gutter py-1.5 sm:min-h-16 sm:flex-col sm:items-start sm:justify-center lg:max-xl:px-4">
      <dt className="type-label text-dim uppercase">{name}</dt>
      <dd className={`type-row whitespace-nowrap tabular-nums ${isSignal ? "text-signal" : ""}`}>
        {children}
      </dd>
    </dl>
  );
}

function days(count: number | null | undefined): string {
  return count === null || count === undefined ? "–" : daysText(count);
}
