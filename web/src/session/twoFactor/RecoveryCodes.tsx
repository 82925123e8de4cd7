import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { CopyByHand, useCopying } from "../../ui/CopyByHand.tsx";
import { useLabelName } from "../../ui/labelName.ts";
import { messageTitle } from "../../ui/messages.ts";
import { saveFile } from "../../ui/saveFile.ts";
import { takeFocus } from "../../ui/takeFocus.ts";

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const label = useLabelName();
  const [isKept, setKept] = useState(false);
  const text = codes.join("\n");
  return (
    <div className="flex flex-col gap-5">
      <div ref={takeFocus} tabIndex={-1} role="status" className="outline-none">
        <p className="type-lead">Your recovery codes</p>
        <p className="mt-2 max-w-[60ch] text-dim">
          Each opens your account once when the authenticator is out of reach. They are shown only
          now: write them down, or keep them where you keep passwords.
        </p>
      </div>
      <ol className="grid-cells grid-cols-[repeat(auto-fill,minmax(min(100%,max(8.75rem,18%)),1fr))] border border-hairline text-[1rem] tabular-nums">
        {codes.map((code) => (
          <li key={code} className="px-3 py-3 text-center">
            {code}
          </li>
        ))}
      </ol>
      <div className="type-label flex flex-wrap gap-3">
        <CopyButton text={text} name="Copy codes" />
        <Button onClick={() => download(text, label)}>Download codes</Button>
      </div>
      <label className="flex min-h-9 items-center gap-3">
        <input
          type="checkbox"
          checked={isKept}
          onChange={(event) => setKept(event.target.checked)}
          className="check-box"
        />
        I have kept these codes
      </label>
      <Button disabled={!isKept} variant="main" className="self-start" onClick={onKept}>
        Done
      </Button>
    </div>
  );
}

function download(text: string, label: string): void {
  const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  saveFile(new Blob([`${text}\n`], { type: "text/plain" }), `${name}-recovery-codes.txt`);
}

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
