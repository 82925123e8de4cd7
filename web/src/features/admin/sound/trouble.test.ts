import { expect, it } from "vitest";
import { clock } from "./trouble.tsx";

it("writes lengths with seconds rounded down, and hours from an hour on", () => {
  expect([0, 59.9, 60, 192, 3_599, 3_600, 3_792].map(clock)).toEqual([
    "0:00",
    "0:59",
    "1:00",
    "3:12",
    "59:59",
    "1:00:00",
    "1:03:12",
  ]);
});
