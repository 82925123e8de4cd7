import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { catchUpRows, putInto } from "./catchUp.ts";
import type { RowPlaces } from "./rowsCalls.ts";

interface Row {
  id: string;
  place: number;
}

const row = (place: number, id = `r${place}`): Row => ({ id, place });
const places: RowPlaces<Row> = {
  read: () => Promise.resolve(undefined),
  isBefore: (one, other) => one.place < other.place,
  isListed: ({ place }, { q, state }) => (q ? undefined : !state || place % 2 === 0),
};

const page = (items: Row[], next_cursor: string | null = "more", total = 90) => ({
  items,
  next_cursor,
  total,
});
const held = () => ({
  pages: [page([row(10), row(20)]), page([row(30), row(40)]), page([row(50), row(60)])],
  pageParams: [null, "a", "b"],
});
const ids = ({ pages }: { pages: { items: Row[] }[] }) =>
  pages.map(({ items }) => items.map(({ id }) => id));
const first = page([row(10), row(20)], "a", 91);

describe("a changed row of a long list", () => {
  it("is put where it belongs by now, and nothing else is touched", () => {
    const before = held();
    const moved = new Map([["r10", row(45, "r10")]]);
    const after = putInto(before, places, {}, page([row(20), row(30)], "a", 91), moved);
    expect(ids(after)).toEqual([["r20"], ["r30", "r40"], ["r10", "r50", "r60"]]);
    expect(after.pages[1]?.items[1]).toBe(before.pages[1]?.items[1]);
    expect(after.pages.map(({ total }) => total)).toEqual([91, 91, 91]);
    expect(after.pageParams).toBe(before.pageParams);
  });

  it("stays in its place where that is still its own, and is new there", () => {
    const fresh = { ...row(40), name: "New" };
    const before = held();
    const after = putInto(before, places, {}, first, new Map([["r40", fresh]]));
    expect(ids(after)).toEqual([
      ["r10", "r20"],
      ["r30", "r40"],
      ["r50", "r60"],
    ]);
    expect(after.pages[1]?.items[1]).toBe(fresh);
    expect(after.pages[2]?.items).toBe(before.pages[2]?.items);
  });

  it("goes where it is gone, and where it is not asked for any more", () => {
    const gone = new Map([
      ["r30", undefined],
      ["r50", row(51, "r50")],
    ]);
    expect(ids(putInto(held(), places, { state: "even" }, first, gone))).toEqual([
      ["r10", "r20"],
      ["r40"],
      ["r60"],
    ]);
  });

  it("comes in with the first page, wherever it was before", () => {
    const top = page([row(5), row(10)], "a", 92);
    const after = putInto(held(), places, { q: "x" }, top, new Map([["r5", row(5)]]));
    expect(ids(after)).toEqual([
      ["r5", "r10", "r20"],
      ["r30", "r40"],
      ["r50", "r60"],
    ]);
  });

  it("is not put into what was searched for unless it was found before", () => {
    const changed = new Map([
      ["r45", row(45)],
      ["r40", row(35, "r40")],
    ]);
    expect(ids(putInto(held(), places, { q: "x" }, first, changed))).toEqual([
      ["r10", "r20"],
      ["r30", "r40"],
      ["r50", "r60"],
    ]);
  });

  it("behind all that is held comes with its own page, and at the very end where there is none", () => {
    const changed = new Map([["r30", row(70, "r30")]]);
    expect(ids(putInto(held(), places, {}, first, changed))[2]).toEqual(["r50", "r60"]);
    const whole = held();
    whole.pages[2] = page([row(50), row(60)], null);
    expect(ids(putInto(whole, places, {}, first, changed))[2]).toEqual(["r50", "r60", "r30"]);
  });
});

describe("catching up", () => {
  const start = (changes: Partial<RowPlaces<Row>> = {}) => {
    const client = new QueryClient();
    const queryKey = ["/list"];
    client.setQueryData(queryKey, held());
    const query = client.getQueryCache().find({ queryKey });
    if (!query) throw new Error("no list");
    const asked: string[] = [];
    const read = (id: string) => {
      asked.push(id);
      return Promise.resolve(row(45, id));
    };
    const readFirst = () => {
      asked.push("first");
      return Promise.resolve(page([row(20)], "a", 91));
    };
    const run = (keys: string[], sort = "") =>
      catchUpRows({ ...places, read, ...changes }, { sort }, readFirst)(
        client,
        query,
        new Set(keys),
      );
    return { client, queryKey, asked, run };
  };

  it("reads the changed row and the first page alone", async () => {
    const { client, queryKey, asked, run } = start();
    expect(await run(["r10"])).toBe(true);
    expect(asked).toEqual(["first", "r10"]);
    expect(ids(client.getQueryData(queryKey) ?? { pages: [] })).toEqual([
      ["r20"],
      ["r30", "r40"],
      ["r10", "r50", "r60"],
    ]);
  });

  it("leaves it to a whole read where that asks no more, where the order is another, and where it failed", async () => {
    const { asked, run } = start();
    expect(await run(["r10", "r20"])).toBe(false);
    expect(await run(["r10"], "name")).toBe(false);
    expect(asked).toEqual([]);
    const failing = start({ read: () => Promise.reject(new Error("away")) });
    expect(await failing.run(["r10"])).toBe(false);
    expect(ids(failing.client.getQueryData(failing.queryKey) ?? { pages: [] })).toEqual(
      ids(held()),
    );
  });
});
