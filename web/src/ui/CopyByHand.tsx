import { useEffect, useId, useRef, useState } from "react";

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

interface CopyByHandProps {
  refused: Refused;
  /** The accessible name of the text. */
  label: string;
  /** The same, at the beginning of a sentence. */
  what: string;
}

export function CopyByHand({ refused, label, what }: CopyByHandProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = refused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: selected again at every refusal
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [refused]);
  return (
    <div className="order-last w-full">
      <p id={id} role="alert" className="mb-2 text-signal">
        The browser did not let this page copy. {what} is selected, for you to copy.
      </p>
      <textarea
        ref={field}
        readOnly
        rows={text.split("\n").length}
        aria-label={label}
        aria-describedby={id}
        className="field field-sizing-content contain-inline-size w-full"
        value={text}
        onFocus={({ target }) => target.select()}
      />
    </div>
  );
}
