import { expect, it } from "vitest";
import { visitsOf } from "../../../testing/visits.ts";
import { countedDays, marksOf, pointsOf, topOf } from "./series.ts";

it("the scale ends at an even number with one digit other than zero", () => {
  const tops = [0, 1, 2, 3, 5, 9, 10, 11, 99, 448, 1_000, 1_204].map(topOf);
  expect(tops).toEqual([2, 2, 2, 4, 6, 10, 10, 20, 100, 500, 1_000, 2_000]);
});

it("days before the first one counted are no zeros", () => {
  const { days } = visitsOf(7);
  expect(countedDays({ days, first_day: "2026-11-26" }).map(({ day }) => day)).toEqual([
    "2026-11-26",
    "2026-11-27",
  ]);
  expect(countedDays({ days, first_day: "2026-01-01" })).toEqual(days);
  expect(countedDays({ days, first_day: null })).toEqual([]);
});

it("a long span is drawn by whole weeks that end today", () => {
  const days = visitsOf(365).days.map((day) => ({ ...day, views: 70, visitors: 10 }));
  const points = pointsOf(days);
  expect(points).toHaveLength(52);
  expect(points[0]).toEqual({ since: "2025-11-29", day: "2025-12-05", views: 70, visitors: 10 });
  expect(points.at(-1)?.day).toBe("2026-11-27");
});

it("letters stand at their day, close ones share a mark, and older ones have none", () => {
  const points = pointsOf(visitsOf(30).days);
  const letter = (day: string) => ({ day, subject: `of ${day}`, id: day });
  const letters = ["2026-10-29", "2026-10-31", "2026-11-27"].map(letter);
  expect(marksOf(letters, points)).toEqual([
    { at: 0, first: 1, last: 2, subject: "of 2026-10-29" },
    { at: 1, first: 3, last: 3, subject: "of 2026-11-27" },
  ]);
  expect(marksOf([letter("2026-11-28")], points)).toEqual([]);
});
