import { expect, it } from "vitest";
import { isHeard, moved, played, UNHEARD } from "./deck.ts";

/** The clock after a player reported these positions. */
const after = (...places: number[]) => places.reduce(played, UNHEARD);
const steps = (from: number, to: number) =>
  Array.from({ length: (to - from) * 4 + 1 }, (_, step) => from + step / 4);

it("is heard after twenty seconds of it", () => {
  expect(isHeard(after(...steps(0, 19)))).toBe(false);
  expect(isHeard(after(...steps(0, 20)))).toBe(true);
});

it("counts what was played wherever it stands, and no jump", () => {
  expect(after(...steps(0, 5), ...steps(100, 105)).seconds).toBe(10);
  expect(after(...steps(100, 105), ...steps(0, 5)).seconds).toBe(10);
});

it("counts nothing between a place it was put to and the next report", () => {
  const clock = played(moved(after(...steps(0, 5))), 6);
  expect(clock.seconds).toBe(5);
  expect(played(clock, 6.5).seconds).toBe(5.5);
});
