// Finds in a line of an answer what can be followed: pages of this site, by name or by path, and addresses of others. An answer is text and
// stays text; nothing in it is ever read as markup.

export type Part =
  | { kind: "text" | "number"; text: string }
  | { kind: "page"; text: string; to: string; dialog?: DialogName }
  | { kind: "away"; text: string; to: string };

type DialogName = "login" | "demo";

/** Pages an answer may lead to. Whatever else begins with a stroke is text. */
const PAGE =
  "/(?:releases(?:/[a-z0-9-]{1,80})?|artists(?:/[0-9a-f-]{36})?|store|terminal|contact|privacy-policy|signup|profile)";

/** A page by its name, `Name (/path)`: the line ends there, or goes on behind two spaces. The name is what is shown. */
const NAMED = new RegExp(`^(\\s*)(\\S.*?) \\((${PAGE}|/)(?:\\?dialog=(login|demo))?\\)(?=$|  )`);

/** A page between spaces, brackets or quotes, or an address that is encrypted. */
const LINK = new RegExp(`(?<![^\\s("'\\[])${PAGE}(?![\\w/-])|https://[^\\s<>"]+`, "g");

/** What stands before the name in a row of a list of releases: a number, where any has one, and the date. */
const COLUMNS = /^(?:\S.{0,15}?|) *(?:\d{4}\.\d\d\.\d\d|No Date) +(?=\S)/;

/** A catalogue number as the label's own answers put it: before a date, or behind its name. */
const NUMBERS = [
  /^()(\S.{0,15}?)(?=\s+(?:\d{4}\.\d\d\.\d\d|No Date)\s)/,
  /^(CATALOG +)(?!N\/A$)(\S.*)$/,
] as const;

/** What the rules put behind an answer that was kept from before. */
const CACHED = " [cached]";

export function partsOf(line: string): Part[] {
  if (line.endsWith(CACHED)) {
    return [...partsOf(line.slice(0, -CACHED.length)), { kind: "text", text: CACHED }];
  }
  const [whole, indent, name, to, dialog] = NAMED.exec(line) ?? [];
  if (whole !== undefined && indent !== undefined && name !== undefined && to !== undefined) {
    const columns = COLUMNS.exec(name)?.[0] ?? "";
    const link: Part = { kind: "page", text: name.slice(columns.length), to };
    if (dialog === "login" || dialog === "demo") link.dialog = dialog;
    return [
      { kind: "text" as const, text: indent },
      ...numbered(columns),
      link,
      { kind: "text" as const, text: line.slice(whole.length) },
    ].filter(({ text }) => text !== "");
  }
  // The shortest path there is could be any stroke, so it has to stand alone.
  if (line === "/") return [{ kind: "page", text: line, to: line }];
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(LINK)) {
    const link = found.startsWith("/")
      ? ({ kind: "page", text: found, to: found } as const)
      : addressOf(found);
    if (!link) continue;
    parts.push({ kind: "text", text: line.slice(end, index) }, link);
    end = index + link.text.length;
  }
  if (end === 0) return numbered(line);
  parts.push({ kind: "text", text: line.slice(end) });
  return parts.filter(({ text }) => text !== "");
}

/** The address without what belongs to the sentence around it; undefined where it is none, or hides where it leads. */
function addressOf(found: string): Part | undefined {
  const text = found.replace(/[.,;:!?'")\]}]+$/, "");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && !url.username && !url.password ? { kind: "away", text, to: url.href } : undefined;
}

function numbered(line: string): Part[] {
  for (const pattern of NUMBERS) {
    const [, before, number] = pattern.exec(line) ?? [];
    if (before === undefined || number === undefined) continue;
    const after = line.slice(before.length + number.length);
    const parts: Part[] = [
      { kind: "text", text: before },
      { kind: "number", text: number },
      { kind: "text", text: after },
    ];
    return parts.filter(({ text }) => text !== "");
  }
  return [{ kind: "text", text: line }];
}
