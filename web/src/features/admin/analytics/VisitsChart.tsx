// The line of views and visitors, with the letters on it, and the same as a table.
import type { ReactNode } from "react";
import { counted, grouped } from "../grouped.ts";
import type { Numbers } from "./numbersQuery.ts";
import { countedDays, dotted, marksOf, type Point, pointsOf, topOf } from "./series.ts";

const HEIGHT = 100;

interface VisitsChartProps {
  numbers: Pick<Numbers, "days" | "first_day" | "letters">;
  isSmall?: boolean;
}

export function VisitsChart({ numbers, isSmall = false }: VisitsChartProps) {
  const days = countedDays(numbers);
  const points = pointsOf(days);
  const [only] = days;
  if (!only) return <p className="px-gutter py-6 text-dim">Nothing was counted in these days.</p>;
  if (days.length === 1) {
    return (
      <p className="px-gutter py-6">
        One day so far: {counted(only.views, "view")} by {counted(only.visitors, "visitor")}. The
        line begins tomorrow.
      </p>
    );
  }
  const letters = numbers.letters.filter(({ day }) => day >= (points[0]?.since ?? ""));
  return (
    <div className="px-gutter py-6">
      <figure>
        <figcaption className="type-label mb-4 flex flex-wrap gap-x-6 gap-y-1 uppercase">
          <Sample>Views a day</Sample>
          <Sample isDashed>Visitors a day</Sample>
          {points.length < days.length && (
            <span className="text-dim">Each point is an average day of a week</span>
          )}
        </figcaption>
        <Lines points={points} letters={letters} isSmall={isSmall} />
        <div
          aria-hidden="true"
          className="type-label mt-2 flex justify-between pl-12 text-dim tabular-nums"
        >
          <span>{dotted(points[0]?.since ?? "")}</span>
          <span className="uppercase">
            {points.length < days.length ? "Today" : "Today so far"}
          </span>
        </div>
      </figure>
      <p className="mt-4 text-dim">{mostOf(days)}</p>
      {letters.length > 0 && <LetterList letters={letters} />}
      <DayTable days={days} />
    </div>
  );
}

function mostOf(days: Numbers["days"]): string {
  const most = days.reduce((best, day) => (day.views > best.views ? day : best));
  return `Most on one day: ${counted(most.views, "view")}, on ${dotted(most.day)}.`;
}

/** A line is known by its stroke, not by its colour. */
function Sample({ isDashed = false, children }: { isDashed?: boolean; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2">
      <svg aria-hidden="true" viewBox="0 0 28 4" className="h-1 w-7 overflow-visible">
        <path d="M0 2H28" className={strokeOf(isDashed)} />
      </svg>
      {children}
    </span>
  );
}

function strokeOf(isDashed: boolean): string {
  const stroke = "fill-none stroke-ink";
  return isDashed ? `${stroke} stroke-[1.5] [stroke-dasharray:4_3]` : `${stroke} stroke-2`;
}

interface LinesProps {
  points: readonly Point[];
  letters: Numbers["letters"];
  isSmall: boolean;
}

function Lines({ points, letters, isSmall }: LinesProps) {
  const end = points.length - 1;
  const top = topOf(Math.max(...points.map(({ views, visitors }) => Math.max(views, visitors))));
  const marks = marksOf(letters, points);
  const pathOf = (line: "views" | "visitors") =>
    points.map((point, x) => `${x === 0 ? "M" : "L"}${x} ${yOf(point[line], top)}`).join("");
  return (
    <div className="pl-12">
      {marks.length > 0 && (
        <div aria-hidden="true" className="type-label relative h-6 tabular-nums">
          {marks.map(({ at, first, last, subject }, index) => {
            // A mark at the end has its room before it.
            const room = (marks[index + 1]?.at ?? 1) - at;
            return (
              <span
                key={first}
                className={`absolute flex gap-2 ${room < 0.05 ? "-translate-x-full pr-1" : ""}`}
                style={{ left: `${at * 100}%`, ...(room >= 0.05 && { width: `${room * 100}%` }) }}
              >
                <b className="flex-none border border-dim px-1 font-normal">
                  {first === last ? first : `${first}-${last}`}
                </b>
                {first === last && (
                  <span className={`hidden truncate text-dim ${isSmall ? "" : "sm:block"}`}>
                    {subject}
                  </span>
                )}
              </span>
            );
          })}
        </div>
      )}
      <div className={`relative ${isSmall ? "h-24" : "h-40 md:h-56"}`}>
        {[top, top / 2].map((value) => (
          <span
            key={value}
            aria-hidden="true"
            className="absolute inset-x-0 border-hairline border-t"
            style={{ top: `${yOf(value, top)}%` }}
          >
            <span className="type-label absolute right-full -translate-y-1/2 whitespace-nowrap pr-2 text-dim tabular-nums [font-stretch:75%]">
              {grouped(value)}
            </span>
          </span>
        ))}
        <svg
          role="img"
          aria-label={summaryOf(points)}
          viewBox={`0 0 ${end} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible border-hairline border-b"
        >
          {marks.map(({ at, first }) => (
            <path
              key={first}
              d={`M${at * end} 0V${HEIGHT}`}
              vectorEffect="non-scaling-stroke"
              className="fill-none stroke-dim [stroke-dasharray:1_3]"
            />
          ))}
          <path
            d={`${pathOf("views")}L${end} ${HEIGHT}L0 ${HEIGHT}Z`}
            className="fill-ink/8 stroke-none"
          />
          <path d={pathOf("views")} vectorEffect="non-scaling-stroke" className={strokeOf(false)} />
          <path
            d={pathOf("visitors")}
            vectorEffect="non-scaling-stroke"
            className={strokeOf(true)}
          />
          {points.map((point, x) => (
            <rect
              key={point.day}
              x={x - 0.5}
              width="1"
              height={HEIGHT}
              className="fill-transparent"
            >
              <title>{wordsOf(point)}</title>
            </rect>
          ))}
        </svg>
      </div>
    </div>
  );
}

function yOf(value: number, top: number): number {
  return Math.round((1 - value / top) * HEIGHT * 10) / 10;
}

function wordsOf({ since, day, views, visitors }: Point): string {
  const counts = `${counted(views, "view")}, ${counted(visitors, "visitor")}`;
  return since === day
    ? `${dotted(day)}: ${counts}`
    : `${dotted(since)} to ${dotted(day)}: ${counts} a day`;
}

function summaryOf(points: readonly Point[]): string {
  const views = points.map((point) => point.views);
  return `Views and visitors a day since ${dotted(points[0]?.since ?? "")}: from ${grouped(
    Math.min(...views),
  )} to ${counted(Math.max(...views), "view")}. The table below has each day.`;
}

function LetterList({ letters }: { letters: Numbers["letters"] }) {
  return (
    <>
      <h3 className="type-label mt-6 mb-2 uppercase">Letters on the line</h3>
      <ol aria-label="Letters on the line" className="text-[0.75rem]">
        {letters.map(({ id, day, subject }, index) => (
          <li key={id} className="flex gap-4 border-hairline border-t py-1.5">
            <span aria-hidden="true" className="w-6 flex-none text-right tabular-nums">
              {index + 1}
            </span>
            <time dateTime={day} className="flex-none text-dim tabular-nums">
              {dotted(day)}
            </time>
            <span className="min-w-0">{subject}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function DayTable({ days }: { days: Numbers["days"] }) {
  return (
    <details className="mt-5">
      <summary className="type-label min-h-6 cursor-pointer text-dim uppercase">
        The days as a table
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <div tabIndex={0} className="mt-3 max-h-96 max-w-xl overflow-y-auto">
        <table className="w-full text-[0.75rem] tabular-nums">
          <caption className="sr-only">Views and visitors of each day, the newest first</caption>
          <thead className="type-label text-dim uppercase">
            <tr>
              <th scope="col" className="py-1.5 text-left font-normal">
                Day
              </th>
              <th scope="col" className="py-1.5 text-right font-normal">
                Views
              </th>
              <th scope="col" className="py-1.5 text-right font-normal">
                Visitors
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, views, visitors }) => (
              <tr key={day} className="border-hairline border-t">
                <th scope="row" className="py-1.5 text-left font-normal">
                  {dotted(day)}
                </th>
                <td className="py-1.5 text-right">{grouped(views)}</td>
                <td className="py-1.5 text-right">{grouped(visitors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
