import { expect, it } from "vitest";
import { outlineOf, thinned } from "./Waveform.tsx";

it("draws every peak above and below the middle, and silence as a line", () => {
  expect(outlineOf([0, 255, 100])).toBe(
    "M0 128L0.5 127L1.5 0.5L2.5 78L3 128L2.5 178L1.5 255.5L0.5 129Z",
  );
  expect(outlineOf([])).toBe("");
});

it("keeps the highest of each stretch", () => {
  expect(thinned([1, 9, 2, 3, 8, 4, 5], 3)).toEqual([9, 3, 8]);
  expect(thinned([1, 2], 3)).toEqual([1, 2]);
});
