// The text of one line. Only answers can hold links.
import { Link } from "@tanstack/react-router";
import { OutLink } from "../../ui/OutLink.tsx";
import type { Line } from "./conversation.ts";
import { type Part, partsOf } from "./parts.ts";

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
        className={`block min-h-[1lh] ${hasLink ? "leading-6" : ""} ${/\S {2}/.test(line) ? "pl-[2ch] -indent-[2ch]" : ""}`}
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
