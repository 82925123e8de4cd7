import { useEffect, useReducer, useRef } from "react";
import { lazyCode } from "../../code/lazyCode.ts";
import { useIsMounted } from "../../ui/useIsMounted.ts";
import { type Pace, paceFrom, paceWith } from "./pace.ts";
import { UploadCancelled } from "./refusals.ts";
import type { DemoMetadata, Replacing, TransferState } from "./upload/transfer.ts";

interface UnderWay {
  state: TransferState;
  pace: Pace;
}

const transferCode = lazyCode(() => import("./upload/transfer.ts"));

export type DemoUpload = ReturnType<typeof useDemoUpload>;

export function useDemoUpload() {
  const [underWay, dispatch] = useReducer(follow, undefined);
  const cancelling = useRef<AbortController>(undefined);
  const isMounted = useIsMounted();

  useEffect(() => {
    transferCode.prepare();
    // Closing the dialog cancels its upload.
    return () => cancelling.current?.abort();
  }, []);

  /** Sends the file and resolves to the upload's address. Rejects as `transfer` does. */
  async function send(file: File, words: DemoMetadata | Replacing): Promise<string | null> {
    // Closed while the file was inspected.
    if (!isMounted()) throw new UploadCancelled();
    const controller = new AbortController();
    cancelling.current = controller;
    dispatch({ at: "preparing" });
    try {
      const { transfer } = await transferCode.load();
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
    /** The present state, between two renders. */
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
