// Copies text, and reports a refusal of the browser.
import { useState } from "react";

/** The text that was refused; a new object at every try. */
export interface Refused {
  text: string;
}

export function useCopying(onCopied: () => void) {
  const [refused, setRefused] = useState<Refused>();
  return {
    refused,
    async copy(text: string): Promise<void> {
      try {
        await navigator.clipboard.writeText(text);
        setRefused(undefined);
        onCopied();
      } catch {
        // Refused, or missing without a secure connection.
        setRefused({ text });
      }
    },
  };
}
