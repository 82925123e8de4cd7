import { useState } from "react";
import { TextButton } from "../../../ui/TextButton.tsx";

interface FoldedTextProps {
  text: string;
  maxLength: number;
  maxLines: number;
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
        <TextButton
          aria-expanded={isOpen}
          className="text-ink decoration-hairline"
          onClick={() => setOpen(!isOpen)}
        >
          Whole message
        </TextButton>
      )}
    </div>
  );
}
