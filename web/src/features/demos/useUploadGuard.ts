// What an upload asks of the page around it: the focus while it goes on, and a question before it is left.
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { DemoUpload } from "./useDemoUpload.ts";

interface Place {
  pathname: string;
}

/** `takesAway` says which changes of address the upload would end with; all of them unless stated. */
export function useUploadGuard(
  upload: DemoUpload,
  takesAway: (from: Place, to: Place) => boolean = () => true,
) {
  const [isAsking, setAsking] = useState(false);
  const progress = useRef<HTMLElement>(null);
  const isUploading = upload.underWay !== undefined;
  // A question about an upload ends with it.
  if (isAsking && !isUploading) setAsking(false);
  useEffect(() => {
    // Where the person was is disabled now, or gone.
    if (isUploading) progress.current?.focus();
  }, [isUploading]);
  // Back, a link and a closed tab would throw away what has travelled.
  useBlocker({
    disabled: !isUploading,
    enableBeforeUnload: isUploading,
    shouldBlockFn: ({ current, next }) => {
      // Once the demo is taken its dialog leaves by itself.
      if (!upload.isUnderWay() || !takesAway(current, next)) return false;
      setAsking(true);
      return true;
    },
  });
  return {
    isUploading,
    isAsking,
    ask: () => setAsking(true),
    goOn() {
      setAsking(false);
      progress.current?.focus();
    },
    /** The region that shows it. */
    progress,
  };
}
