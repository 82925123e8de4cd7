// Prints Lighthouse's results page by page: node lighthouse.mjs REPORTS PEER PAGE... The reports are REPORTS/PAGE.ROUND.json.
import { readdirSync, readFileSync } from "node:fs";

const [folder, peer, ...pages] = process.argv.slice(2);
const reports = new Map([peer, ...pages].map((name) => [name, []]));
for (const file of readdirSync(folder)) {
  reports.get(file.split(".")[0])?.push(JSON.parse(readFileSync(`${folder}/${file}`, "utf8")));
}
const sorted = (name, read) => reports.get(name).map(read).sort((a, b) => a - b);
const median = (values) => values[Math.floor(values.length / 2)];
const audit = (id) => (report) => report.audits[id].numericValue;
const span = (values, digits) =>
  `${median(values).toFixed(digits)} (${values[0].toFixed(digits)}-${values.at(-1).toFixed(digits)})`;
const row = (what, measured, budget) =>
  console.log(`  ${what.padEnd(52)} ${measured.padStart(22)}   ${budget && `budget ${budget}`}`.trimEnd());

const LCP = "largest-contentful-paint";
const FCP = "first-contentful-paint";
const of_peer = median(sorted(peer, audit(LCP)));
console.log(`  median of ${reports.get(peer).length} rounds (smallest-largest)`);
row(`${peer}: largest paint, ms`, span(sorted(peer, audit(LCP)), 0), "");
for (const page of pages) {
  const categories = Object.keys(reports.get(page)[0].categories);
  for (const id of categories) {
    row(`${page}: ${id}`, span(sorted(page, (report) => report.categories[id].score * 100), 0), id === "performance" ? ">= 98" : "100");
  }
  const lcp = sorted(page, audit(LCP));
  row(`${page}: first paint, ms`, span(sorted(page, audit(FCP)), 0), "");
  row(`${page}: largest paint, ms`, span(lcp, 0), "");
  row(`${page}: largest paint relative to ${peer}`, (median(lcp) / of_peer).toFixed(2), "<= 1.20");
  row(`${page}: layout shift`, span(sorted(page, audit("cumulative-layout-shift")), 3), "<= 0.01");
  const missed = new Map();
  for (const report of reports.get(page)) {
    for (const { auditRefs } of Object.values(report.categories)) {
      for (const { id, weight } of auditRefs) {
        const { score, title, displayValue } = report.audits[id];
        if (weight > 0 && score !== null && score < 1) missed.set(id, `${title} ${displayValue ?? ""}`.trim());
      }
    }
  }
  for (const [id, title] of missed) console.log(`      ${id}: ${title}`);
}
