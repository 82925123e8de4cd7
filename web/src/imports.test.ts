// Imports point down only: app → features → session → api | ui | rules → code.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

/** Matched against `importing file → imported file`, both from src. */
const FORBIDDEN: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?!rules\/).* → @deadwax\/rules/, "Only src/rules imports the package of the rules."],
  [/ → testing\//, "src/testing is for tests alone."],
  [/^(features|session|api|ui|rules|code)\/.* → app\//, "Nothing imports the app around it."],
  [
    /^(session|api|ui|rules|code)\/.* → features\//,
    "What it needs of a feature, its caller hands to it.",
  ],
  [/^(api|ui|rules|code)\/.* → session\//, "What it needs of the session, its caller hands to it."],
  [/^(ui|rules|code)\/.* → api\//, "What it needs of the server, its caller hands to it."],
  [/^(api|rules|code)\/.* → ui\//, "It draws nothing."],
  [
    /^(api|ui|code)\/.* → rules\/(?!generated\/)/,
    "Of the rules it may use the generated constants.",
  ],
  [/^features\/([^/]+)\/.* → features\/(?!\1\/)/, "What two features share belongs below them."],
  [
    /^features\/admin\/lists\/.* → features\/admin\/(editing|resource)\//,
    "editing → resource → lists",
  ],
  [/^features\/admin\/resource\/.* → features\/admin\/editing\//, "editing → resource → lists"],
  [
    /^(?!features\/admin\/(tabs\.ts|media\/)).* → features\/admin\/(?!resource\/).*(Tab|DemoInbox)\.tsx$/,
    "A tab's code comes only with the tab.",
  ],
  [/^app\/layout\/.* → app\/[^/]+$/, "The app puts its layout around the pages."],
];

const SRC = import.meta.dirname;
const IMPORT = /(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g;

function importsOf(file: string): string[] {
  const found = readFileSync(join(SRC, file), "utf8").matchAll(IMPORT);
  return Array.from(found, ([, to = ""]) => {
    const imported = to.startsWith(".") ? posix.join(posix.dirname(file), to) : to;
    return `${file} → ${imported}`;
  });
}

it("imports point down only", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|^testing\//.test(file),
  );
  const imports = files.flatMap(importsOf);
  expect(imports.length).toBeGreaterThan(1_000);
  const refused = imports.flatMap((line) =>
    FORBIDDEN.flatMap(([pattern, why]) => (pattern.test(line) ? `${line}: ${why}` : [])),
  );
  expect(refused).toEqual([]);
});
