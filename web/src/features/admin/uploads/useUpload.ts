// One upload at a time, checked by the rules first and aborted on unmount.
import { useEffect, useRef, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { UPLOAD_TITLES } from "../../../rules/generated/refusals.ts";
import { loadRules, type Rules, withRules } from "../../../rules/rules.ts";
import { message, messageTitle, type TitledCode } from "../../../ui/messages.ts";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { type FileRequest, uploadFile } from "./uploadFile.ts";

export function useUpload<Answer>(
  endpoint: UploadEndpoint<Answer>,
  onUploaded: (answer: Answer) => void,
) {
  /** The part sent, from 0 to 1; undefined if nothing is being sent. */
  const [progress, setProgress] = useState<number>();
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);

  /** Resolves to the error of a refused upload, after its toast. */
  async function upload(file: File): Promise<unknown> {
    if (underWay.current) return undefined;
    const call = new AbortController();
    underWay.current = call;
    setProgress(0);
    try {
      if ((await checkFile(endpoint, file)) !== undefined) return undefined;
      call.signal.throwIfAborted();
      const watching = { onProgress: setProgress, signal: call.signal };
      onUploaded(await uploadFile({ ...endpoint, file }, watching));
      toastSuccess(endpoint.messages.uploaded);
    } catch (error) {
      if (call.signal.aborted) return undefined;
      toastUploadFailure(endpoint, error);
      return error;
    } finally {
      underWay.current = undefined;
      setProgress(undefined);
    }
    return undefined;
  }

  return { progress, upload, cancel: () => underWay.current?.abort() };
}

export interface UploadChecks {
  /** The rule that checks files before they are sent. */
  check: (rules: Rules) => Rules["checkImage"];
  messages: { uploaded: TitledCode; failed: TitledCode };
}

export interface UploadEndpoint<Answer> extends UploadChecks, Omit<FileRequest<Answer>, "file"> {}

/** Checks a file before it is sent. Shows what is wrong with it, and returns that. */
export async function checkFile(endpoint: UploadChecks, file: File): Promise<string | undefined> {
  await loadRules();
  const refused = withRules((rules) =>
    endpoint.check(rules)({ name: file.name, media_type: file.type, size_bytes: file.size }),
  );
  if (!refused) return undefined;
  const title = refused.title ?? messageTitle(endpoint.messages.failed);
  showToast({ title, description: refused.message, isError: true });
  return refused.message;
}

export interface UploadFailure {
  reason: string;
  /** The same file would be refused again. */
  isFinal: boolean;
}

/** Shows why the server refused a file, and returns that. */
export function toastUploadFailure(endpoint: UploadChecks, error: unknown): UploadFailure {
  const { code, fields, said } = apiError(error);
  const aboutFile = fields.file ?? (code === "file_too_large" ? said : undefined);
  const { title, text } = message(endpoint.messages.failed);
  // A refused text field shows its own problem too.
  const [aboutText] = Object.values(fields);
  const reason = aboutFile ?? (code === "storage_full" ? said : undefined) ?? aboutText ?? text;
  const fileTitle = aboutFile === undefined ? undefined : UPLOAD_TITLES[code];
  showToast({ title: fileTitle ?? title, description: reason, isError: true });
  return { reason, isFinal: aboutFile !== undefined };
}
