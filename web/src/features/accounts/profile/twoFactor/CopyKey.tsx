// A key that copies a text and says so.
import { useEffect, useState } from "react";
import { words } from "../../../../rules/words.ts";

/** How long it says so. */
const SAID_MS = 2_000;

export function CopyKey({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      className="key type-label flex-none uppercase"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          // Refused: the text stands beside the key and can be selected.
          (error: Error) => console.error(`Copying failed: ${error.message}`),
        );
      }}
    >
      <span aria-live="polite">{isCopied ? words("copied").title : name}</span>
    </button>
  );
}
