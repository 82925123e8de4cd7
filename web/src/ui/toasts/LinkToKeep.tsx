import { useState } from "react";
import { Button } from "../Button.tsx";
import { CopyByHand } from "../CopyByHand.tsx";
import { useCopying } from "../useCopying.ts";
import type { KeptLink } from "./toastQueue.ts";

export function LinkToKeep({ link: { href, label } }: { link: KeptLink }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, refused } = useCopying(() => setCopied(true));
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <a href={href} className="break-all text-link">
        {href}
      </a>
      <Button variant="outline" onClick={() => void copy(href)}>
        <span role="status">{isCopied ? "Copied" : "Copy Link"}</span>
      </Button>
      {refused && <CopyByHand refused={refused} label={label} what="The link" />}
    </div>
  );
}
