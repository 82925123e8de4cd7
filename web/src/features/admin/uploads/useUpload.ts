// One upload at a time: judged by the rules before it travels, given up when what waits for it goes.
import { useEffect, useRef, useState } from "react";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { checkFile, toastRefusal, type UploadEndpoint } from "./uploadEndpoint.ts";
import { uploadFile } from "./uploadFile.ts";

export function useUpload<Answer>(endpoint: UploadEndpoint, onUploaded: (answer: Answer) => void) {
  /** How much has arrived, from 0 to 1; undefined while nothing is on its way. */
  const [progress, setProgress] = useState<number>();
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);

  /** Answers the error of a refused upload, once it has been said. */
  async function upload(file: File): Promise<unknown> {
    if (underWay.current) return undefined;
    const call = new AbortController();
    underWay.current = call;
    setProgress(0);
    try {
      if ((await checkFile(endpoint, file)) !== undefined) return undefined;
      call.signal.throwIfAborted();
      const watching = { onProgress: setProgress, signal: call.signal };
      onUploaded(await uploadFile<Answer>({ ...endpoint, file }, watching));
      toastSuccess(endpoint.said.uploaded);
    } catch (error) {
      if (call.signal.aborted) return undefined;
      toastRefusal(endpoint, error);
      return error;
    } finally {
      underWay.current = undefined;
      setProgress(undefined);
    }
    return undefined;
  }

  return { progress, upload, cancel: () => underWay.current?.abort() };
}
