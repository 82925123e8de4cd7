// Fails if a crate's files import each other in a cycle beyond a hub (`x.rs`) and its children (`x/`), and names the import to
// remove. Usage: node imports.mjs CRATE_FOLDER...
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { circlesOf, importsToRemove, importsWithin } from "./circles.mjs";
import { importsOf } from "./rust.mjs";

// For a cycle with more imports than this, only those to remove are printed.
const FEW = 12;

const say = (line) => console.error(line);
const line = ({ from, to, names }) => `  ${from} -> ${to} (${names.slice(0, 6).join(", ")}${names.length > 6 ? ", …" : ""})`;

function report(src, graph, circle) {
  const [all, wrong] = [importsWithin(graph, circle), importsToRemove(graph, circle)];
  say(`${src}: ${circle.length} files import each other in a cycle of ${all.length} imports${all.length > FEW ? "" : ":"}`);
  if (all.length <= FEW) for (const one of all) say(line(one));
  say(wrong.length === 1 ? "Remove this one, which points against the others:" : `Remove these ${wrong.length}, which point against the others:`);
  for (const one of wrong.slice(0, FEW)) say(line(one));
  say("  Move the imported item to a file below both, or pass it as a parameter.");
}

let failed = false;
for (const folder of process.argv.slice(2)) {
  const src = join(folder, "src");
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const graph = importsOf(new Map(files.map((file) => [relative(src, file), readFileSync(file, "utf8")])));
  for (const circle of circlesOf(graph)) {
    failed = true;
    report(src, graph, circle);
  }
}
process.exit(failed ? 1 : 0);
