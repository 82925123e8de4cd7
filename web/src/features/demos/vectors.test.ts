// The vectors of crates/audio, called like the dialog does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writtenOut } from "../../../../crates/rules-wasm/consumers/vectors.mjs";
import { probeFile } from "./probeFile.ts";

type Case = {
  name: string;
  args: [string, unknown];
  returns: { at: "right"; line: string | null } | { at: "refused"; problem: object };
};

const file = join(process.cwd(), "../crates/audio/fixtures/files.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };

test("the vectors are there", () => {
  expect(cases.length).toBeGreaterThan(100);
});

describe("a chosen file", () => {
  test.each(cases)("$name", async ({ args: [name, bytes], returns }) => {
    const content = new Uint8Array(Buffer.from(writtenOut(bytes) as string, "hex"));
    const verdict = await probeFile(new File([content], name), new AbortController().signal);
    const { at, ...expected } = returns;
    expect(verdict).toEqual(at === "right" ? { line: returns.line ?? "" } : expected);
  });
});
