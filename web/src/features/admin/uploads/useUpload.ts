// One upload at a time: judged by the rules before it travels, given up when what waits for it goes.

import { useEffect, useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { UPLOAD_TITLES } from "../../../rules/generated/refusals.ts";
import { loadRules, type Rules, withRules } from "../../../rules/rules.ts";
import { message, messageTitle, type TitledCode } from "../../../ui/messages.ts";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { type FileRequest, uploadFile } from "./uploadFile.ts";

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

type Check = Rules["checkImage"];

export interface UploadEndpoint extends Omit<FileRequest, "file"> {
  /** The rule that judges files before they travel. */
  check: (rules: Rules) => Check;
  /** Names of the stated texts. */
  said: { uploaded: TitledCode; failed: TitledCode };
}

/** Judges a file before a byte travels. What is wrong with it is said, and answered. */
export async function checkFile(endpoint: UploadEndpoint, file: File): Promise<string | undefined> {
  await loadRules();
  const refused = withRules((rules) =>
    endpoint.check(rules)({ name: file.name, media_type: file.type, size_bytes: file.size }),
  );
  if (!refused) return undefined;
  const title = refused.title ?? messageTitle(endpoint.said.failed);
  showToast({ title, description: refused.message, isError: true });
  return refused.message;
}

export interface UploadFailure {
  reason: string;
  /** True where the same file would be refused again. */
  isFinal: boolean;
}

/** Says why the server did not take a file, in its words where it has some for the sender, and answers them. */
export function toastRefusal(endpoint: UploadEndpoint, error: unknown): UploadFailure {
  const { code, fields, said } = apiError(error);
  const aboutFile = fields.file ?? (code === "file_too_large" ? said : undefined);
  const { title, text } = message(endpoint.said.failed);
  // Of a text beside the file its field says the same.
  const [aboutText] = Object.values(fields);
  const reason = aboutFile ?? (code === "storage_full" ? said : undefined) ?? aboutText ?? text;
  const fileTitle = aboutFile === undefined ? undefined : UPLOAD_TITLES[code];
  showToast({ title: fileTitle ?? title, description: reason, isError: true });
  return { reason, isFinal: aboutFile !== undefined };
}
