// Prints the licences of what is inside the program: crates that are linked into it, packages of the web app, and the fonts.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const isLicence = (name) => /^(ofl|licen[cs]e|copying|notice|copyright|unlicense)/i.test(name);
/** The texts of a package's licence files, each once. */
function texts(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && isLicence(file.name));
  return [...new Set(names.map(({ name }) => readFileSync(join(folder, name), "utf8").trim()))];
}

const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version=1", "--locked", "--filter-platform", `${process.arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-gnu`], {
    maxBuffer: 1 << 28,
  }),
);
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
const packages = new Map(metadata.packages.map((found) => [found.id, found]));
const linked = new Set();
const visit = (id) => {
  if (linked.has(id)) return;
  linked.add(id);
  for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
    if (kinds.some(({ kind }) => kind === null)) visit(pkg);
  }
};
visit([...packages.values()].find(({ name }) => name === "deadwax").id);

const parts = [...linked]
  .map((id) => packages.get(id))
  .filter(({ source }) => source !== null)
  .map(({ name, version, license, manifest_path: path }) => ({ name: `${name} ${version}`, license, texts: texts(dirname(path)) }));

const lock = JSON.parse(readFileSync("web/package-lock.json", "utf8"));
for (const [path, { version, dev, link, license }] of Object.entries(lock.packages)) {
  if (!path.startsWith("node_modules/") || path.startsWith("node_modules/@types/") || dev || link || !existsSync(join("web", path))) continue;
  parts.push({ name: `${path.replace("node_modules/", "")} ${version}`, license, texts: texts(join("web", path)) });
}
parts.push({ name: "Martian Mono", license: "OFL-1.1", texts: texts("web/src/assets/fonts") });
parts.sort((a, b) => (a.name < b.name ? -1 : 1));

console.log("Deadwax is licensed under AGPL-3.0-only (LICENSE). It contains the works below, under their own licences.\n");
for (const { name, license } of parts) console.log(`  ${name}: ${license ?? "see its repository"}`);
/** Many packages have the same text: it is printed once, below their names. */
const byText = new Map();
for (const part of parts) for (const text of part.texts) byText.set(text, [...(byText.get(text) ?? []), part.name]);
for (const [text, names] of byText) console.log(`\n${"=".repeat(78)}\n${names.join(", ")}\n${"=".repeat(78)}\n\n${text}`);
