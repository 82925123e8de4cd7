// The set-up of a second factor: a secret as a QR code and as text, and its first code.
import { LazyPart } from "../../code/LazyPart.tsx";
import { lazyCode } from "../../code/lazyCode.ts";
import { Button } from "../../ui/Button.tsx";
import { SkeletonSquare } from "../../ui/Skeleton.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";
import type { Secret } from "../mfaCalls.ts";
import { CodeForm } from "./CodeForm.tsx";
import { CopyButton } from "./RecoveryCodes.tsx";

const qrCode = lazyCode(() => import("./QrCode.tsx").then((module) => module.QrCode));

interface SetUpProps {
  secret: Secret;
  /** True if another authenticator counts until then. */
  replaces: boolean;
  onCode: (code: string) => Promise<void>;
  onCancel: () => void;
}

export function SetUp({ secret, replaces, onCode, onCancel }: SetUpProps) {
  return (
    <div className="flex flex-col gap-8 sm:flex-row">
      <div className="w-52 max-w-full flex-none">
        <LazyPart
          code={qrCode}
          props={{ text: secret.qrCodeUrl, label: "QR code for your authenticator app" }}
          waiting={<SkeletonSquare />}
          failed={(tryAgain) => (
            <Button className="aspect-square w-full justify-center" onClick={tryAgain}>
              Show QR code
            </Button>
          )}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-6">
        {/* The button that led here is gone. */}
        <p ref={takeFocus} tabIndex={-1} className="max-w-[52ch] outline-none">
          Scan the code with your authenticator app, or type the key into it. Then enter the six
          digits it shows.
          {replaces && " From then on the one before and its recovery codes count no more."}
        </p>
        <div>
          <p className="type-label text-dim">MANUAL ENTRY KEY</p>
          <div className="mt-2 flex flex-wrap items-center gap-3">
            <code className="text-[1rem]">{secret.manualEntryKey}</code>
            <CopyButton text={secret.secret} name="Copy key" />
          </div>
        </div>
        <CodeForm
          action={replaces ? "Verify and replace" : "Verify and enable"}
          failed="mfa_enable_failed"
          onCode={onCode}
          onCancel={onCancel}
        />
      </div>
    </div>
  );
}
