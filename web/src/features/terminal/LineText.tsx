// The text of one line. Only answers can hold links.
import { Link } from "@tanstack/react-router";
import { OutLink } from "../../ui/OutLink.tsx";
import type { Line } from "./conversation.ts";

export function LineText({ type, content }: Pick<Line, "type" | "content">) {
  if (type !== "ai") return content;
  return content.split("\n").map((line, index) => {
    const parts = partsOf(line);
    const hasLink = parts.some(({ kind }) => kind === "page" || kind === "away");
    return (
      // Wrapped columns are indented, so that rows stay rows on phones. Lines with links are far enough apart for a
      // thumb.
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes
        key={index}
        className={`block min-h-[1lh] [unicode-bidi:plaintext] ${hasLink ? "leading-6" : ""} ${/\S {2}/.test(line) ? "pl-[2ch] -indent-[2ch]" : ""}`}
      >
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <PartText key={index} part={part} />
        ))}
      </span>
    );
  });
}

const LINK = "text-link";

function PartText({ part }: { part: Part }) {
  switch (part.kind) {
    case "page":
      return (
        <Link to={part.to} search={part.dialog ? { dialog: part.dialog } : {}} className={LINK}>
          {part.text}
        </Link>
      );
    case "away":
      return (
        <OutLink href={part.to} className={LINK}>
          {part.text}
        </OutLink>
      );
    case "number":
      return <span className="text-signal">{part.text}</span>;
    case "text":
      return part.text;
  }
}

export type Part =
  | { kind: "text" | "number"; text: string }
  | { kind: "page"; text: string; to: string; dialog?: DialogName }
  | { kind: "away"; text: string; to: string };

type DialogName = "login" | "demo";

/** The pages an answer may link to. Any other path is text. */
const PAGE =
  "/(?:releases(?:/[a-z0-9-]{1,80})?|artists(?:/[0-9a-f-]{36})?|store|terminal|contact|privacy-policy|imprint|letters(?:/[a-z0-9-]{1,80})?|signup|profile)";

/** A named page, `Name (/path)`, at the end of the line or before two spaces. The name is shown. */
const NAMED = new RegExp(`^(\\s*)(\\S.*?) \\((${PAGE}|/)(?:\\?dialog=(login|demo))?\\)(?=$|  )`);

/** The part of an address that opens a dialog. */
const DIALOG = "\\?dialog=(?:login|demo)(?![\\w-])";

/** A path between spaces, brackets or quotes, or an https address. */
const ADDRESS = new RegExp(
  `(?<![^\\s("'\\[])(?:${PAGE}(?![\\w/-])|/(?=${DIALOG}))(?:${DIALOG})?|https://[^\\s<>"]+`,
  "g",
);

/** The columns before the name in a row of releases: a number, if any has one, and the date. */
const COLUMNS = /^(?:\S.{0,15}?|) *(?:\d{4}\.\d\d\.\d\d|No Date) +(?=\S)/;

/** A catalogue number in the label's own answers: before a date, or after its name. */
const NUMBERS = [
  /^()(\S.{0,15}?)(?=\s+(?:\d{4}\.\d\d\.\d\d|No Date)\s)/,
  /^(CATALOG +)(?!N\/A$)(\S.*)$/,
] as const;

/** The rules' mark of a remembered answer. */
const CACHED = " [cached]";

export function partsOf(line: string): Part[] {
  if (line.endsWith(CACHED)) {
    return [...partsOf(line.slice(0, -CACHED.length)), { kind: "text", text: CACHED }];
  }
  const [whole, indent, name, to, dialog] = NAMED.exec(line) ?? [];
  if (whole !== undefined && indent !== undefined && name !== undefined && to !== undefined) {
    const columns = COLUMNS.exec(name)?.[0] ?? "";
    const link = pageOf(name.slice(columns.length), to, dialog);
    return [
      { kind: "text" as const, text: indent },
      ...numbered(columns),
      link,
      { kind: "text" as const, text: line.slice(whole.length) },
    ].filter(({ text }) => text !== "");
  }
  // The shortest path could be any slash, so it must be alone.
  if (line === "/") return [{ kind: "page", text: line, to: line }];
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(ADDRESS)) {
    const [to = found, dialog] = found.split("?dialog=");
    const link = found.startsWith("/") ? pageOf(found, to, dialog) : addressOf(found);
    if (!link) continue;
    parts.push({ kind: "text", text: line.slice(end, index) }, link);
    end = index + link.text.length;
  }
  if (end === 0) return numbered(line);
  parts.push({ kind: "text", text: line.slice(end) });
  return parts.filter(({ text }) => text !== "");
}

function pageOf(text: string, to: string, dialog?: string): Part {
  const part = { kind: "page" as const, text, to };
  return dialog === "login" || dialog === "demo" ? { ...part, dialog } : part;
}

/** The address without the punctuation around it; undefined if it is invalid, or hides where it leads. */
function addressOf(found: string): Part | undefined {
  const text = found.replace(/[.,;:!?'")\]}]+$/, "");
  try {
    const { href, username, password } = new URL(text);
    return username || password ? undefined : { kind: "away", text, to: href };
  } catch {
    return undefined;
  }
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
