import { describe, expect, it } from "vitest";
import { isNextUnread, nextUnheard, type Queued } from "./queueOrder.ts";

const demo = (id: string, day: number, state = "new"): Queued => ({
  id,
  state,
  submitted_at: `2026-11-${String(day).padStart(2, "0")}T10:00:00Z`,
});

describe("the next unheard demo", () => {
  const rows = [demo("a", 1), demo("b", 2), demo("c", 3), demo("h", 1, "heard")];

  it("is the oldest, where none is open", () => {
    expect(nextUnheard(rows, undefined)?.id).toBe("a");
  });

  it("came in after the one that is open, heard by now or not", () => {
    expect(nextUnheard(rows, demo("a", 1))?.id).toBe("b");
    expect(nextUnheard(rows, demo("b", 2, "declined"))?.id).toBe("c");
  });

  it("is the oldest again after the last, and never the one that is open", () => {
    expect(nextUnheard(rows, demo("c", 3))?.id).toBe("a");
    expect(nextUnheard([demo("c", 3)], demo("c", 3))).toBeUndefined();
  });

  it("goes by the id where two came in at once", () => {
    expect(nextUnheard([demo("x", 1), demo("y", 1)], demo("x", 1))?.id).toBe("y");
  });

  it("is none where all were heard", () => {
    expect(nextUnheard([demo("h", 1, "heard")], undefined)).toBeUndefined();
  });
});

describe("a page that is not read yet", () => {
  it("may hold it where all that is read came in before, and the list goes on with unheard ones", () => {
    const rows = [demo("a", 1), demo("b", 2)];
    expect(isNextUnread(rows, demo("b", 2, "heard"), true)).toBe(true);
    expect(isNextUnread(rows, demo("a", 1), true)).toBe(false);
    expect(isNextUnread(rows, demo("b", 2), false)).toBe(false);
    expect(isNextUnread([...rows, demo("h", 1, "heard")], demo("b", 2), true)).toBe(false);
  });
});
