// Fails when files of a crate import each other in a circle of more than a hub (`x.rs`) and its children (`x/`), and says
// which import to turn. Usage: node imports.mjs CRATE_FOLDER...
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { circlesOf, importsToTurn, importsWithin } from "./circles.mjs";
import { importsOf } from "./rust.mjs";

// How many files may stand in circles for now, by crate. A number here only goes down.
const FOR_NOW = {};
// A circle of more imports than this is told by those to turn.
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
  const [crate, src] = [basename(folder), join(folder, "src")];
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const graph = importsOf(new Map(files.map((file) => [relative(src, file), readFileSync(file, "utf8")])));
  const circles = circlesOf(graph);
  const [inCircles, allowed] = [circles.flat().length, FOR_NOW[crate] ?? 0];
  if (inCircles > allowed) {
    failed = true;
    for (const circle of circles) tell(src, graph, circle);
    if (allowed > 0) say(`${src}: ${inCircles} files stand in circles, and no more than ${allowed} may for now`);
  } else if (inCircles < allowed) {
    say(`${src}: ${inCircles} files stand in circles; lower the ${allowed} that may for now in ${relative(".", process.argv[1])}`);
  }
}
process.exit(failed ? 1 : 0);
