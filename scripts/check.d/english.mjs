// Finds idioms that STYLE's plain English forbids, in comments, documents and the subjects of new commits.
// Prints a line for each as `file:line: text` and exits with 1 if there are any.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const IDIOMS =
  /\b(whoever|whomever|nobody|somebody|meanwhile|told|(is|are|was|were|be) (none|asked)|of (its|their|his|her|our|one's) own)\b/i;
// A relative clause as the subject of a sentence: "What is kept is …". A question may begin so.
const RELATIVE_SUBJECT = /(^|[.;] )(What|Who|Whose) [a-z][^?]*$/;

const COMMENTS = {
  rs: /(?:^|\s)\/\/[/!]?(.*)$/,
  ts: /(?:^|\s)\/\/(.*)$|^\s*(?:\/\*\*?|\*)(.*)$/,
  sh: /(?:^|\s)#(?!!)(.*)$/,
  sql: /--(.*)$/,
};
const KINDS = {
  rs: "rs", ts: "ts", tsx: "ts", mjs: "ts", js: "ts", css: "ts", py: "sh", sh: "sh", toml: "sh", yml: "sh", sql: "sql",
};
// Migrations that have landed are never edited: their text is part of their checksum.
const LEFT_OUT = /^migrations\/|^LICENSE|\/generated\/|^web\/src\/api\/types\/|package-lock\.json$|\.snap$/;

const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 26 });

function kindOf(path) {
  const extension = path.match(/\.([a-z]+)$/)?.[1];
  if (KINDS[extension]) return KINDS[extension];
  return /^(scripts|\.ci)\/[^.]*$|^scripts\/[^/]+\.d\/[^.]*$/.test(path) ? "sh" : undefined;
}

/** The lines of a file that are prose, as `[number, text]`: comments of code, and every line of a document. */
function prose(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  if (path.endsWith(".md")) {
    // A generated table repeats texts of the product, which the specification may state to the letter.
    let isGenerated = false;
    return lines.flatMap((line, at) => {
      if (/^<!-- (generated:|end )/.test(line)) isGenerated = line.includes("generated:");
      return isGenerated ? [] : [[at + 1, line, false]];
    });
  }
  const comment = COMMENTS[kindOf(path)];
  return lines.flatMap((line, at) => {
    const found = line.match(comment);
    const text = found?.slice(1).find((group) => group !== undefined);
    return text ? [[at + 1, text.trim(), true]] : [];
  });
}

/** The subjects of the commits after the one that brought this check. */
function subjects() {
  const brought = git("log", "--diff-filter=A", "--format=%H", "--", "scripts/check.d/english.mjs").trim().split("\n").at(-1);
  return brought ? git("log", "--format=%h %s", `${brought}..HEAD`).trim().split("\n").filter(Boolean) : [];
}

const only = process.argv.slice(2);
const files = git("ls-files", ...only)
  .split("\n")
  .filter((path) => path && !LEFT_OUT.test(path) && (path.endsWith(".md") || kindOf(path)));
const found = files.flatMap((path) =>
  prose(path)
    .filter(([, text, isComment]) => IDIOMS.test(text) || (isComment && RELATIVE_SUBJECT.test(text)))
    .map(([at, text]) => `${path}:${at}: ${text.trim()}`),
);
if (only.length === 0) found.push(...subjects().filter((line) => IDIOMS.test(line)).map((line) => `commit ${line}`));
for (const line of found) console.log(line);
console.error(`${found.length} lines that are not plain English`);
process.exit(found.length ? 1 : 0);
