// Uploads files one after the other. Failed ones stay listed with the reason until dismissed.
import { useCallback, useEffect, useRef, useState } from "react";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { uploadFile } from "./uploadFile.ts";
import {
  checkFile,
  toastUploadFailure,
  type UploadEndpoint,
  type UploadFailure,
} from "./useUpload.ts";

export interface Upload {
  id: number;
  file: File;
  state: { at: "waiting" } | { at: "sending"; part: number } | ({ at: "failed" } & UploadFailure);
}

/** `onUploaded` is the same on every render. */
export function useUploads(endpoint: UploadEndpoint<unknown>, onUploaded: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const waiting = useRef<Upload[]>([]);
  const underWay = useRef<{ id: number; call: AbortController }>(undefined);
  const count = useRef(0);
  const isMounted = useIsMounted();
  useEffect(
    () => () => {
      waiting.current = [];
      underWay.current?.call.abort();
    },
    [],
  );

  const change = useCallback((id: number, state: Upload["state"]) => {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  }, []);
  const forget = useCallback((id: number) => {
    setUploads((all) => all.filter((upload) => upload.id !== id));
  }, []);

  const sendAll = useCallback(async () => {
    async function sendOne({ id, file }: Upload): Promise<void> {
      const call = new AbortController();
      underWay.current = { id, call };
      change(id, { at: "sending", part: 0 });
      try {
        const onProgress = (part: number) => change(id, { at: "sending", part });
        await uploadFile({ ...endpoint, file }, { onProgress, signal: call.signal });
        forget(id);
        toastSuccess(endpoint.messages.uploaded);
        onUploaded();
      } catch (error) {
        if (call.signal.aborted) forget(id);
        else change(id, { at: "failed", ...toastUploadFailure(endpoint, error) });
      } finally {
        underWay.current = undefined;
      }
    }

    if (underWay.current) return;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      await sendOne(next);
    }
  }, [endpoint, onUploaded, change, forget]);

  const wait = useCallback(
    (upload: Upload) => {
      waiting.current.push(upload);
      void sendAll();
    },
    [sendAll],
  );

  const add = useCallback(
    async (files: Iterable<File>) => {
      for (const file of files) {
        count.current += 1;
        const upload: Upload = { id: count.current, file, state: { at: "waiting" } };
        const reason = await checkFile(endpoint, file);
        // Unmounted while it was checked.
        if (!isMounted()) return;
        if (reason === undefined) {
          setUploads((all) => [...all, upload]);
          wait(upload);
        } else {
          const state = { at: "failed", reason, isFinal: true } as const;
          setUploads((all) => [...all, { ...upload, state }]);
        }
      }
    },
    [endpoint, wait, isMounted],
  );

  const drop = useCallback(
    (id: number) => {
      waiting.current = waiting.current.filter((upload) => upload.id !== id);
      if (underWay.current?.id === id) underWay.current.call.abort();
      else forget(id);
    },
    [forget],
  );

  const again = useCallback(
    (upload: Upload) => {
      if (waiting.current.some(({ id }) => id === upload.id) || underWay.current?.id === upload.id)
        return;
      change(upload.id, { at: "waiting" });
      wait(upload);
    },
    [change, wait],
  );

  return { uploads, add, drop, again };
}
