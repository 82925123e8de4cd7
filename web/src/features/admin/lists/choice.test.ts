import { describe, expect, it } from "vitest";
import { createChoice } from "./choice.tsx";

const ROWS = ["a", "b", "c", "d", "e"];

function among(rows: string[] = ROWS) {
  const choice = createChoice();
  choice.setRows(rows);
  return choice;
}

describe("the choice of rows", () => {
  it("takes a row in and out", () => {
    const choice = among();
    choice.toggle("b", false);
    expect([
      choice.state.get().chosen.has("b"),
      choice.state.get().chosen.size,
      choice.state.get().rows.length,
    ]).toEqual([true, 1, 5]);
    choice.toggle("b", false);
    expect(choice.ids()).toEqual([]);
  });

  it("takes a range in, from either end, and out again", () => {
    const choice = among();
    choice.toggle("d", false);
    choice.toggle("b", true);
    expect(choice.ids()).toEqual(["b", "c", "d"]);
    choice.toggle("e", true);
    expect(choice.ids()).toEqual(["b", "c", "d", "e"]);
    choice.toggle("c", true);
    expect(choice.ids()).toEqual(["b"]);
  });

  it("begins a range anew where its beginning is gone, or nothing was pressed", () => {
    const choice = among();
    choice.toggle("c", true);
    expect(choice.ids()).toEqual(["c"]);
    choice.setRows(["a", "b", "d"]);
    choice.toggle("d", true);
    expect(choice.ids()).toEqual(["d"]);
  });

  it("keeps what is there when more rows come, and lets go what is gone", () => {
    const choice = among();
    choice.toggle("b", false);
    choice.toggle("d", false);
    choice.setRows([...ROWS, "f"]);
    expect(choice.ids()).toEqual(["b", "d"]);
    choice.setRows(["a", "d"]);
    expect(choice.ids()).toEqual(["d"]);
    choice.setRows(ROWS);
    expect(choice.ids()).toEqual(["d"]);
  });

  it("chooses all that are there, and tells who listens", () => {
    const choice = among();
    let changes = 0;
    const listening = choice.state.subscribe(() => {
      changes += 1;
    });
    choice.chooseAll();
    expect([choice.ids(), changes]).toEqual([ROWS, 1]);
    choice.clear();
    choice.clear();
    expect([choice.state.get().chosen.size, changes]).toEqual([0, 2]);
    listening.unsubscribe();
    choice.chooseAll();
    expect(changes).toBe(2);
  });
});
