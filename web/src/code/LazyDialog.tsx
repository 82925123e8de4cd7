// A dialog whose code is fetched when it first opens. Its failure dialog comes with the first view: later there may be
// nothing to fetch it with.
import { type ComponentType, useEffect, useRef } from "react";
import { UNEXPECTED_ERROR } from "../rules/generated/constants.ts";
import { LazyPart } from "./LazyPart.tsx";
import type { LazyCode } from "./lazyCode.ts";

interface LazyDialogProps<Props extends object> {
  code: LazyCode<ComponentType<Props>>;
  props: Props;
  /** Closes what stands in the dialog's place. */
  onClose: () => void;
}

export function LazyDialog<Props extends object>({ code, props, onClose }: LazyDialogProps<Props>) {
  return (
    <LazyPart
      code={code}
      props={props}
      failed={(tryAgain) => <FailedDialog onTryAgain={tryAgain} onClose={onClose} />}
    />
  );
}

interface FailedDialogProps {
  onTryAgain: () => void;
  onClose: () => void;
}

function FailedDialog({ onTryAgain, onClose }: FailedDialogProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => sheet.current?.showModal(), []);
  return (
    <dialog
      ref={sheet}
      aria-labelledby="failed-dialog"
      className="mx-auto mt-gutter mb-auto w-[31rem] max-w-[calc(100vw-2*var(--gutter))] flex-col items-start gap-6 border border-signal bg-ground p-gutter text-ink open:flex backdrop:bg-ground/85 sm:mt-[8dvh]"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="failed-dialog" className="type-heading">
        ERROR
      </h2>
      <p>{UNEXPECTED_ERROR}</p>
      <div className="type-label flex gap-3">
        <button type="button" className="button button-outline" onClick={onTryAgain}>
          Try again
        </button>
        <button type="button" className="button" onClick={onClose}>
          CLOSE
        </button>
      </div>
    </dialog>
  );
}
