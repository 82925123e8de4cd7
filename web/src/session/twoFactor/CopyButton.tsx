// A button that copies a text and confirms it.
import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { CopyByHand, useCopying } from "../../ui/CopyByHand.tsx";
import { messageTitle } from "../../ui/messages.ts";

const SAID_MS = 2_000;

export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const { copy, refused } = useCopying(() => setCopied(true));

  return (
    <>
      <Button className="flex-none" onClick={() => void copy(text)}>
        <span aria-live="polite">{isCopied ? messageTitle("copied") : name}</span>
      </Button>
      {refused && <CopyByHand refused={refused} label={name} what="The text" />}
    </>
  );
}
