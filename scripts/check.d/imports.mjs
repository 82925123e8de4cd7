// Fails if a crate's files import each other in a cycle beyond a hub (`x.rs`) and its children (`x/`), and names the import to
// remove. Usage: node imports.mjs CRATE_FOLDER...
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { circlesOf, importsToTurn, importsWithin } from "./circles.mjs";
import { importsOf } from "./rust.mjs";

// For a cycle with more imports than this, only those to remove are printed.
const FEW = 12;

const say = (line) => console.error(line);
const line = ({ from, to, names }) => `  ${from} -> ${to} (${names.slice(0, 6).join(", ")}${names.length > 6 ? ", …" : ""})`;

function tell(src, graph, circle) {
  const [all, turn] = [importsWithin(graph, circle), importsToTurn(graph, circle)];
  say(`${src}: ${circle.length} files import each other in a circle, by ${all.length} imports${all.length > FEW ? "" : ":"}`);
  if (all.length <= FEW) for (const one of all) say(line(one));
  say(turn.length === 1 ? "Turn this one, which runs against the others:" : `Turn these ${turn.length}, which run against the others:`);
  for (const one of turn.slice(0, FEW)) say(line(one));
  say("  What is named moves to a file below both, or is handed over as a parameter.");
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
    tell(src, graph, circle);
  }
}
process.exit(failed ? 1 : 0);
