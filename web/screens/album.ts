// Writes the index of docs/screens, and removes outdated screenshots.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { WIDTHS } from "../e2e/routes.ts";
import type { Screen } from "./screen.ts";
import { SCREENS } from "./screens.ts";
import { album } from "./stage.ts";

const HEAD = `# Every screen

Taken by \`scripts/screens\` from the sample catalogue, at ${WIDTHS.join(" and ")} pixels: run it after a change of the look, and a review sees
what changed. The clock stands still and nothing moves, so that a picture changes only when its screen does; another version of
Chromium or of its fonts may draw all of them anew. What is longer than 2,400 pixels is cut there.
`;

const filesOf = ({ name, only }: Screen) =>
  WIDTHS.filter((width) => only === undefined || only === width).map((width) => ({
    width,
    file: `${name}-${width}.webp`,
  }));

function rowOf(screen: Screen): string {
  const links = WIDTHS.map((width) => {
    const found = filesOf(screen).find((one) => one.width === width);
    return found ? `[${width}](${found.file})` : "";
  });
  return `| ${screen.title} | ${links.join(" | ")} |`;
}

export function writeIndex(): void {
  const groups = [...new Set(SCREENS.map(({ group }) => group))];
  const tables = groups.map((group) => {
    const rows = SCREENS.filter((screen) => screen.group === group).map(rowOf);
    return `\n## ${group}\n\n| Screen | ${WIDTHS.join(" px | ")} px |\n|---|${"---|".repeat(WIDTHS.length)}\n${rows.join("\n")}\n`;
  });
  writeFileSync(`${album}README.md`, HEAD + tables.join(""));
  const known = new Set(SCREENS.flatMap(filesOf).map(({ file }) => file));
  for (const file of readdirSync(album)) {
    if (file.endsWith(".webp") && !known.has(file)) rmSync(album + file);
  }
}
