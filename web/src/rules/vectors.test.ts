// The vectors of crates/rules against the built package, compared exactly, and common boundary mistakes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as rules from "@deadwax/rules/bundler";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ask, writtenOut } from "../../../crates/rules-wasm/consumers/vectors.mjs";
import { type Code, message } from "../ui/messages.ts";
import { MESSAGES } from "./generated/messages.ts";

type Case = { name: string; function: string; args: unknown[]; returns: unknown };
type Fixture = { rule: string; native_only?: boolean; is_data?: boolean; cases: Case[] };

const folder = join(process.cwd(), "../crates/rules/fixtures");
const fixtures = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Fixture)
  .filter((fixture) => !fixture.native_only);

/** The generated data, called like the rules. */
const data: Record<string, (...args: never[]) => unknown> = {
  message: (code: string, value?: string) => {
    if (!Object.hasOwn(MESSAGES, code)) return null;
    const { title, text } = message(code as Code, value);
    return { title: title || null, text: text || null };
  },
};
data["message_with"] = data["message"] as (typeof data)[string];

test("the fixtures are there", () => {
  expect(fixtures.length).toBeGreaterThan(35);
  for (const fixture of fixtures) expect(fixture.cases.length).toBeGreaterThan(0);
});

describe.each(fixtures)("$rule", ({ cases, is_data }) => {
  test.each(cases)("$name", (vector) => {
    const args = writtenOut(vector.args) as never[];
    const answer = is_data ? data[vector.function]?.(...args) : ask(rules, vector.function, args);
    expect(answer).toStrictEqual(writtenOut(vector.returns));
  });
});

describe("the boundary", () => {
  test("what is absent arrives as null, never as undefined", () => {
    expect(rules.emailDomain("nobody")).toBeNull();
    expect(rules.maskedEmail("nobody")).toBeNull();
  });

  test("null, undefined and a missing argument are the same absence", () => {
    expect(rules.sizeLabel(null)).toBe("0 Bytes");
    expect(rules.sizeLabel(undefined)).toBe("0 Bytes");
    expect(rules.sizeLabel()).toBe("0 Bytes");
  });

  test("a missing, an undefined and a null optional field are the same absence", () => {
    const release = { title: "Signal", release_date: "2026-10-02" };
    const expected = rules.checkRelease(release);
    for (const absent of [null, undefined]) {
      const form = { ...release, catalog: absent } as unknown as typeof release;
      expect(rules.checkRelease(form)).toStrictEqual(expected);
    }
  });

  test("numbers beyond every limit end at the limit", () => {
    for (const size of [Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      expect(rules.sizeLabel(size)).toBe("8388608 GB");
    }
    expect(rules.sizeLabel(Number.NaN)).toBe("0 Bytes");
    expect(rules.remainingSeconds(Number.MAX_VALUE, 0)).toBe(86_400);
  });

  test("texts of any length and of lone surrogates come back as text", () => {
    expect(rules.preview("x".repeat(1_000_000))).toBe(`${"x".repeat(150)}...`);
    expect(rules.preview("\ud83c")).toBe("\ufffd");
  });
});

describe("withRules", () => {
  beforeEach(() => {
    vi.resetModules();
  });

  test("answers nothing until the rules are loaded, then what the rule says", async () => {
    const { loadRules, withRules } = await import("./rules.ts");
    expect(withRules((loaded) => loaded.dateLabel("2026-10-02"))).toBeUndefined();
    expect(await loadRules()).toBe(true);
    expect(withRules((loaded) => loaded.dateLabel("2026-10-02"))).toBe("2026.10.02");
  });

  test.each([
    ["null in place of a form", null],
    ["a form without its fields", {}],
    ["a number in place of a text", { name: 1, email: "a@example.org", message: "Ten letters" }],
    ["a text in place of a form", "name"],
  ])("ends the checks of the page at %s", async (_, form) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { loadRules, withRules } = await import("./rules.ts");
    await loadRules();
    expect(withRules((loaded) => loaded.checkContact(form as never))).toBeUndefined();
    expect(withRules((loaded) => loaded.dateLabel(null))).toBeUndefined();
    expect(await loadRules()).toBe(false);
    expect(console.error).toHaveBeenCalledOnce();
  });
});
