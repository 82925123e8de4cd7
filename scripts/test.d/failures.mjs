// Lists the failures of a ring with the beginnings of their messages: failures.mjs RING FOLDER-OF-LOGS. The rings' output is
// long, and where only its end is kept it would show nothing but a count.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const [ring, logs] = process.argv.slice(2);
const MESSAGE_LINES = 12;

const text = (name) => (existsSync(join(logs, name)) ? readFileSync(join(logs, name), "utf8") : "");
const json = (name) => JSON.parse(text(name) || "{}");
const beginning = (message) =>
  // Runners use colours.
  message.replace(/\u001b\[[0-9;]*m/g, "").split("\n").slice(0, MESSAGE_LINES).join("\n    ");

/** Failures in Vitest's report. */
function* ofPages(report) {
  for (const file of report.testResults ?? []) {
    const name = relative(process.cwd(), file.name);
    if (file.status === "failed" && file.assertionResults.length === 0) yield [name, file.message];
    for (const test of file.assertionResults) {
      if (test.status === "failed") yield [`${name}: ${test.fullName}`, test.failureMessages.join("\n")];
    }
  }
}

/** Failures in Playwright's report, including tests that passed on a retry. */
function* ofJourneys(suite) {
  for (const spec of suite.specs ?? []) {
    const errors = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors ?? []));
    if (!spec.ok || errors.length > 0) yield [`${spec.file}: ${spec.title}`, errors.map((e) => e.message).join("\n")];
  }
  for (const inner of suite.suites ?? []) yield* ofJourneys(inner);
}

/** Failures in Node's report, of tests without subtests: a suite fails with its tests. */
function* ofNode(tap) {
  for (const [, name, output] of tap.matchAll(/^ *not ok \d+ - (.+)\n((?:(?! *\.\.\.$).*\n)*)/gm)) {
    if (!output.includes("failureType: 'subtestsFailed'")) yield [name, output.split(/^ *error: /m)[1] ?? output];
  }
}

/** Failures in cargo's output. */
function* ofCargo(log) {
  for (const [, name] of log.matchAll(/^test (.+) \.\.\. FAILED$/gm)) {
    const output = log.split(`---- ${name} stdout ----\n`)[1] ?? "";
    yield [name, output.split(/^stack backtrace:|^---- /m)[0].trim()];
  }
  for (const [line] of log.matchAll(/^error(\[E\d+\])?: .+$/gm)) yield [line, ""];
}

/** Failures in schemathesis's reports, one per database engine. */
function* ofApi() {
  for (const engine of ["sqlite", "postgres"]) {
    for (const [, name, why] of text(`api-${engine}.xml`).matchAll(/<testcase [^>]*?name="([^"]+)"[^>]*>\s*<(?:failure|error)[^>]*?message="([^"]*)"/g)) {
      yield [`${engine}: ${name}`, why.replaceAll("&#10;", "\n")];
    }
  }
}

const log = text(`${ring}.log`);
const readers = {
  check: () => [...log.matchAll(/^check failed: (.+)$/gm)].map(([, name]) => [name, ""]),
  api: () => [...ofApi()],
  package: () => [...log.matchAll(/^FAILED: (.+)$/gm)].map(([, name]) => [name, ""]),
  e2e: () => [...ofJourneys(json("e2e.json"))],
};
const found = readers[ring]?.() ?? [...ofCargo(log), ...ofNode(text(`${ring}.tap`)), ...ofPages(json(`${ring}.json`))];
if (found.length === 0) found.push(["nothing that its report names; its last lines", log.trimEnd().split("\n").slice(-MESSAGE_LINES).join("\n")]);
for (const [name, why] of found) {
  console.log(`failed in ${ring}: ${name}`);
  if (why) console.log(`    ${beginning(why)}`);
}
