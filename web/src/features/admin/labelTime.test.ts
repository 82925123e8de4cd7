import { describe, expect, it } from "vitest";
import { fromInput, inZone, toInput } from "./labelTime.ts";

const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati", "Asia/Kathmandu"];

describe("an instant in an input", () => {
  it.each(ZONES)("comes back as it was in %s", (zone) => {
    for (const instant of ["2026-11-20T12:00:00.000Z", "2027-03-28T01:30:00.000Z"]) {
      expect(fromInput(toInput(instant, zone), zone)).toBe(instant);
    }
    // As a year is typed.
    expect(toInput(fromInput("0002-11-20T12:00", zone), zone)).toBe("0002-11-20T12:00");
    // As it is typed past its four digits.
    expect(toInput(fromInput("20261-11-20T12:00", zone), zone)).toBe("9999-11-20T12:00");
  });

  it("is by the clock of the zone", () => {
    expect(toInput("2026-11-20T12:00:00Z", "Europe/Berlin")).toBe("2026-11-20T13:00");
    expect(fromInput("2026-07-20T13:00", "Europe/Berlin")).toBe("2026-07-20T11:00:00.000Z");
    expect(inZone("2026-11-20T12:00:00Z", "Pacific/Kiritimati")).toBe(
      "2026.11.21 02:00, Pacific/Kiritimati",
    );
  });

  it("is after the hour that is left out, and the first of two", () => {
    const left = fromInput("2026-03-29T02:30", "Europe/Berlin");
    expect(left).toBe("2026-03-29T01:30:00.000Z");
    expect(toInput(left, "Europe/Berlin")).toBe("2026-03-29T03:30");
    expect(fromInput("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(fromInput("2026-10-25T03:00", "Europe/Berlin")).toBe("2026-10-25T02:00:00.000Z");
    expect(fromInput("2026-03-29T03:00", "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
    // West of Greenwich too.
    expect(fromInput("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
    expect(fromInput("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  });

  it("is empty where there is none", () => {
    expect(toInput("", "UTC")).toBe("");
    expect(fromInput("", "UTC")).toBe("");
    expect(fromInput("tomorrow", "UTC")).toBe("");
  });
});
