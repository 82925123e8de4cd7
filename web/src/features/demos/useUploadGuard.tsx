// Guards an upload: keeps the focus on it, and asks before it is left.
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";
import type { DemoUpload } from "./useDemoUpload.ts";

interface Place {
  pathname: string;
  search: { dialog?: string | undefined };
}

/** `takesAway` says which changes of address would end the upload. */
export function useUploadGuard(upload: DemoUpload, takesAway: (from: Place, to: Place) => boolean) {
  const [isAsking, setAsking] = useState(false);
  const progress = useRef<HTMLElement>(null);
  const isUploading = upload.underWay !== undefined;
  if (isAsking && !isUploading) setAsking(false);
  useEffect(() => {
    // The focused element is disabled or gone.
    if (isUploading) takeFocus(progress.current);
  }, [isUploading]);
  useBlocker({
    disabled: !isUploading,
    enableBeforeUnload: isUploading,
    shouldBlockFn: ({ current, next }) => {
      // Once the demo is accepted, its dialog closes by itself.
      if (!upload.isUnderWay() || !takesAway(current, next)) return false;
      setAsking(true);
      return true;
    },
  });
  function goOn(): void {
    setAsking(false);
    progress.current?.focus();
  }
  return {
    isUploading,
    ask: () => setAsking(true),
    progress,
    question: isAsking && (
      <ConfirmDialog
        title="Cancel the upload?"
        confirm="CANCEL UPLOAD"
        onConfirm={() => {
          // The focus returns before the progress is gone.
          goOn();
          upload.cancel();
        }}
        cancel="CONTINUE UPLOAD"
        onCancel={goOn}
        isCancelAdvised
      >
        The upload is not finished.
      </ConfirmDialog>
    ),
  };
}
