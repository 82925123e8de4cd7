// How many demos wait, how long, and how many are overdue. The figures filter the queue.
import type { ReactNode } from "react";
import { counted } from "../../grouped.ts";
import { useDeskState } from "../deskState.ts";
import { STATES } from "../deskTypes.ts";

export function Summary() {
  const { desk, summary } = useDeskState();
  const { asked, write } = desk.address;
  const { state, overdue } = asked;
  const waiting = summary?.waiting;
  return (
    <section
      aria-label="Summary"
      aria-busy={summary === undefined}
      className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-4 lg:grid-cols-8"
    >
      {STATES.map(([value, name]) => (
        <FilterFigure
          key={value}
          name={name}
          isOn={state === value}
          onToggle={(isOn) => write({ state: isOn ? value : undefined, overdue: undefined })}
        >
          {summary?.counts[value] ?? "–"}
        </FilterFigure>
      ))}
      <Figure name="Median wait">{days(waiting?.median_days)}</Figure>
      <Figure name="Oldest">{days(waiting?.oldest_days)}</Figure>
      <FilterFigure
        name="Overdue"
        isOn={overdue !== undefined}
        isSignal={(waiting?.overdue ?? 0) > 0}
        onToggle={(isOn) => write({ overdue: isOn ? "yes" : undefined, state: undefined })}
      >
        {waiting?.overdue ?? "–"}
      </FilterFigure>
    </section>
  );
}

const CELL =
  "flex min-h-11 items-center justify-between gap-x-3 px-gutter py-1.5 sm:min-h-16 sm:flex-col sm:items-start sm:justify-center lg:max-xl:px-4";

interface FilterFigureProps {
  name: string;
  /** Whether the queue lists these demos only. */
  isOn: boolean;
  isSignal?: boolean;
  onToggle: (isOn: boolean) => void;
  children: ReactNode;
}

function FilterFigure({ name, isOn, isSignal = false, onToggle, children }: FilterFigureProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={`${CELL} text-left -outline-offset-2 hover:bg-ink/4 aria-pressed:bg-ink aria-pressed:text-ground`}
      onClick={() => onToggle(!isOn)}
    >
      <span className={`type-label uppercase ${isOn ? "" : "text-dim"}`}>{name}</span>
      <span className={`type-row tabular-nums ${isSignal && !isOn ? "text-signal" : ""}`}>
        {children}
      </span>
    </button>
  );
}

interface FigureProps {
  name: string;
  children: string | number;
}

function Figure({ name, children }: FigureProps) {
  return (
    <dl className={CELL}>
      <dt className="type-label text-dim uppercase">{name}</dt>
      <dd className="type-row whitespace-nowrap tabular-nums">{children}</dd>
    </dl>
  );
}

function days(count: number | null | undefined): string {
  return count === null || count === undefined ? "–" : counted(count, "day");
}
