// A key that copies a text and says so.
import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { messageTitle } from "../../ui/messages.ts";

/** How long it says so. */
const SAID_MS = 2_000;

export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      // Refused, or not offered without a secure connection: the text stands beside the key and can be selected.
      console.error("Copying failed", error);
    }
  }

  return (
    <Button className="flex-none" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? messageTitle("copied") : name}</span>
    </Button>
  );
}
