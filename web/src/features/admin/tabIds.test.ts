import { expect, it } from "vitest";
import { deskSearchOf } from "./desk/deskSearch.ts";
import { listsSearchOf } from "./tabIds.ts";

it("a search for what looks like a number or like yes and no is a search", () => {
  for (const [read, text] of [
    [true, "true"],
    [false, "false"],
    [404, "404"],
    ["loop", "loop"],
  ] as const) {
    expect(listsSearchOf({ q: read }).q).toBe(text);
    expect(deskSearchOf({ q: read }).q).toBe(text);
  }
  for (const nothing of ["", null, { a: 1 }, undefined]) {
    expect(listsSearchOf({ q: nothing }).q).toBeUndefined();
    expect(deskSearchOf({ q: nothing }).q).toBeUndefined();
  }
});
