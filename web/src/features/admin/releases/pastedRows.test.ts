import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pastedCredits, pastedTracks } from "./pastedRows.ts";

interface Case {
  name: string;
  function: string;
  args: unknown[];
  returns: unknown;
}

const fixture = join(process.cwd(), "../crates/rules/fixtures/track_list.json");
const { cases } = JSON.parse(readFileSync(fixture, "utf8")) as { cases: Case[] };

function seconds(length: string): number {
  return length.split(":").reduce((total, part) => total * 60 + Number(part), 0);
}

/** The parsers of the rules, in their notation. */
const READ: Record<string, (text: string) => unknown> = {
  tracks: (text) =>
    pastedTracks(text).map(({ position, title, artist, duration_seconds }) => ({
      ...(position && { position }),
      title,
      ...(artist && { artist }),
      ...(duration_seconds && { duration_seconds: seconds(duration_seconds) }),
    })),
  credits: pastedCredits,
};

describe("lines that are pasted", () => {
  const known = cases.filter((vector) => vector.function in READ && vector.returns !== null);
  it.each(known)("are read as the rules read them: $name", (vector) => {
    expect(READ[vector.function]?.(String(vector.args[0]))).toEqual(vector.returns);
  });

  it.each(["\n", "\r\n", "\r"])("end by any mark (%j)", (mark) => {
    const titles = pastedTracks(["One 3:00", "Two", "", "Three"].join(mark));
    expect(titles.map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
  });

  it("are kept where they cannot be read", () => {
    expect(pastedTracks("A\n/ Nobody")[1]).toEqual({
      position: "",
      title: "/ Nobody",
      artist: "",
      duration_seconds: "",
    });
    expect(pastedCredits("Ana Vo\nMastering:")).toEqual([
      { role: "", name: "Ana Vo" },
      { role: "", name: "Mastering:" },
    ]);
  });
});
