// The days of a span as points of a chart.
import type { Numbers } from "./numbersQuery.ts";

type Day = Numbers["days"][number];

/** More points than this are narrower than a stroke on a phone. */
const POINTS_MAX = 120;
const WEEK = 7;

export interface Point extends Day {
  /** The first day that it covers; `day` is the last. */
  since: string;
}

/** The days since the first with numbers: before, there were no zeros but no counting. */
export function countedDays({ days, first_day }: Pick<Numbers, "days" | "first_day">): Day[] {
  return days.filter(({ day }) => first_day !== null && day >= first_day);
}

/** A point a day; the average day of each week where there are too many. */
export function pointsOf(days: readonly Day[]): Point[] {
  if (days.length <= POINTS_MAX) return days.map((day) => ({ ...day, since: day.day }));
  // Whole weeks from the end: a short one at the beginning would look like a change.
  const weeks = Array.from({ length: Math.floor(days.length / WEEK) }, (_, back) =>
    days.slice(days.length - (back + 1) * WEEK, days.length - back * WEEK),
  );
  return weeks.reverse().map((week) => ({
    since: week[0]?.day ?? "",
    day: week.at(-1)?.day ?? "",
    views: average(week.map(({ views }) => views)),
    visitors: average(week.map(({ visitors }) => visitors)),
  }));
}

function average(counts: readonly number[]): number {
  return Math.round(counts.reduce((sum, count) => sum + count, 0) / counts.length);
}

/** The top of the scale: the next even number with one digit other than zero. */
export function topOf(highest: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const top = Math.ceil(highest / unit) * unit;
  return Math.max(2, top % 2 === 0 ? top : top + unit);
}

export interface Mark {
  /** Where it stands, from 0 to 1. */
  at: number;
  first: number;
  last: number;
  subject: string;
}

/** Letters on the line, numbered from 1; those too close together share a mark. */
export function marksOf(letters: Numbers["letters"], points: readonly Point[]): Mark[] {
  const marks: Mark[] = [];
  for (const [index, { day, subject }] of letters.entries()) {
    const place = points.findIndex((point) => day <= point.day);
    if (place < 0) continue;
    const at = points.length > 1 ? place / (points.length - 1) : 0;
    const before = marks.at(-1);
    if (before && at - before.at < CLOSE) before.last = index + 1;
    else marks.push({ at, first: index + 1, last: index + 1, subject });
  }
  return marks;
}

/** As a part of the width: the numbers of two marks need 30 pixels on a phone. */
const CLOSE = 0.09;

/** As the catalogue writes dates. */
export function dotted(day: string): string {
  return day.replaceAll("-", ".");
}
