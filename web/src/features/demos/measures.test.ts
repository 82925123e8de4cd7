import { describe, expect, it } from "vitest";
import { percentOf, sentOf, speedLabel, timeLeft, wholeSize } from "../../ui/measures.ts";
import { paceFrom, paceWith, secondsLeft, speedOf } from "./pace.ts";

const MB = 1_048_576;

describe("sizes and times of an upload", () => {
  it("have one decimal, and never claim more than there is", () => {
    expect(wholeSize(70 * MB)).toBe("70.0 MB");
    expect(wholeSize(70 * MB + 1)).toBe("70.1 MB");
    expect(wholeSize(1)).toBe("1 KB");
    expect(sentOf(70 * MB - 1, 70 * MB)).toBe("69.9 of 70.0 MB");
    expect(sentOf(70 * MB, 70 * MB)).toBe("70.0 MB");
    expect(sentOf(1_500, 3_000)).toBe("1 of 3 KB");
    expect(percentOf(70 * MB - 1, 70 * MB)).toBe(99);
    expect(percentOf(0, 0)).toBe(100);
  });

  it("are written in the unit that fits", () => {
    expect(speedLabel(40_000)).toBe("39 KB/s");
    expect(speedLabel(2.5 * MB)).toBe("2.5 MB/s");
    expect(timeLeft(7)).toBe("7 s left");
    expect(timeLeft(41)).toBe("45 s left");
    expect(timeLeft(61)).toBe("2 min left");
    expect(timeLeft(3_900)).toBe("1 h 05 min left");
  });
});

describe("the pace of an upload", () => {
  it("is said once it has settled, and follows a line that changes", () => {
    let pace = paceFrom(0, 0);
    for (let at = 500; at <= 10_000; at += 500) {
      pace = paceWith(pace, at * 1_000, at);
      if (at < 1_500) expect(speedOf(pace)).toBeUndefined();
    }
    expect(speedOf(pace)).toBeCloseTo(1_000_000);
    expect(secondsLeft(pace, 30_000_000)).toBe(20);
    for (let at = 10_500; at <= 20_000; at += 500) pace = paceWith(pace, pace.sent + 250_000, at);
    expect(speedOf(pace)).toBeGreaterThan(500_000);
    expect(speedOf(pace)).toBeLessThan(600_000);
  });

  it("begins anew after a break, and takes no moment for a second", () => {
    const pace = paceWith(paceFrom(0, 0), 5_000_000, 5_000);
    expect(paceWith(pace, 6_000_000, 5_001)).toBe(pace);
    expect(paceWith(pace, 1_000_000, 6_000)).toEqual(paceFrom(1_000_000, 6_000));
  });

  it("promises no end where nothing moves", () => {
    const pace = paceWith(paceFrom(10, 0), 10, 5_000);
    expect(secondsLeft(pace, 100)).toBeUndefined();
  });
});
