// A sender's message, folded if it is long.
import { useState } from "react";

interface FoldedTextProps {
  text: string;
  maxLength: number;
  maxLines: number;
  /** The `line-clamp` of the folded text. */
  clamp: string;
  className: string;
}

export function FoldedText({ text, maxLength, maxLines, clamp, className }: FoldedTextProps) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > maxLength || text.split("\n").length > maxLines;
  return (
    <div className={className}>
      <p dir="auto" className={`whitespace-pre-line ${isLong && !isOpen ? clamp : ""}`}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="type-label min-h-6 text-ink text-link decoration-hairline uppercase"
          onClick={() => setOpen(!isOpen)}
        >
          Whole message
        </button>
      )}
    </div>
  );
}
