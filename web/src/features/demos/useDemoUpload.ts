// An upload as the dialog shows it: begun, followed, given up.
import { useEffect, useReducer, useRef } from "react";
import { useIsMounted } from "../../ui/useIsMounted.ts";
import { type Pace, paceFrom, paceWith } from "./pace.ts";
import { UploadCancelled } from "./upload/failures.ts";
import type { DemoMetadata, Replacing, TransferState } from "./upload/transfer.ts";

interface UnderWay {
  state: TransferState;
  pace: Pace;
}

/** The tus client is loaded with it, when the dialog opens and not before. */
const loadTransfer = () => import("./upload/transfer.ts");

export type DemoUpload = ReturnType<typeof useDemoUpload>;

export function useDemoUpload() {
  const [underWay, dispatch] = useReducer(follow, undefined);
  const cancelling = useRef<AbortController>(undefined);
  const isMounted = useIsMounted();

  useEffect(() => {
    // What fails here is tried again when there is something to send.
    loadTransfer().catch(() => undefined);
    // A dialog that is taken away takes its upload with it.
    return () => cancelling.current?.abort();
  }, []);

  /** Sends the file and resolves to the upload's address when the label has it. Rejects as `transfer` does. */
  async function send(file: File, words: DemoMetadata | Replacing): Promise<string | null> {
    // Taken away while the file was looked at.
    if (!isMounted()) throw new UploadCancelled();
    const controller = new AbortController();
    cancelling.current = controller;
    dispatch({ at: "preparing" });
    try {
      const { transfer } = await loadTransfer();
      if (controller.signal.aborted) throw new UploadCancelled();
      return await transfer(file, words, { signal: controller.signal, onState: dispatch });
    } finally {
      cancelling.current = undefined;
      dispatch(undefined);
    }
  }

  return {
    underWay,
    send,
    cancel: () => cancelling.current?.abort(),
    /** As it is now, for what asks between two renders. */
    isUnderWay: () => cancelling.current !== undefined,
  };
}

function follow(
  before: UnderWay | undefined,
  state: TransferState | undefined,
): UnderWay | undefined {
  if (!state) return undefined;
  const now = Date.now();
  if (state.at !== "sending") return { state, pace: paceFrom(0, now) };
  return {
    state,
    pace:
      before?.state.at === "sending"
        ? paceWith(before.pace, state.sent, now)
        : paceFrom(state.sent, now),
  };
}
