// Puts a text into the clipboard, and knows when the browser did not let it.
import { useState } from "react";

/** What could not be copied; another object at every try. */
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
        // Refused, or not offered without a secure connection.
        setRefused({ text });
      }
    },
  };
}
