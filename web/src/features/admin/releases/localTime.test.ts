import { describe, expect, it } from "vitest";
import { fromLocalInput, toLocalInput } from "./localTime.ts";

describe("an instant in an input", () => {
  it("comes back as it was, in whole minutes", () => {
    for (const instant of ["2026-11-20T12:00:00.000Z", "2027-03-28T01:30:00.000Z"]) {
      expect(fromLocalInput(toLocalInput(instant))).toBe(instant);
    }
    expect(toLocalInput("2026-11-20T12:00:00Z")).toMatch(/^2026-11-\d\dT\d\d:00$/);
  });

  it("is empty where there is none", () => {
    expect(toLocalInput("")).toBe("");
    expect(fromLocalInput("")).toBe("");
    expect(fromLocalInput("tomorrow")).toBe("");
  });
});
