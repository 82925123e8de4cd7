// Reads names of Markdown files from stdin and fails if a relative link in one of them is broken.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

let broken = 0;
for (const file of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const text = readFileSync(file, "utf8").replace(/```[\s\S]*?```/g, "");
  for (const [, target] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    if (existsSync(join(dirname(file), target))) continue;
    console.error(`${file}: no such file: ${target}`);
    broken += 1;
  }
}
process.exit(broken === 0 ? 0 : 1);
