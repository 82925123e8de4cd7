// Uploads of files, checked by the rules first and aborted on unmount.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  ApiError,
  apiError,
  heed,
  parseJson,
  refusal,
  type UploadTarget,
} from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";
import { isReadable } from "../../../api/isReadable.ts";
import { UPLOAD_TITLES } from "../../../rules/generated/refusals.ts";
import { loadRules, type Rules, withRules } from "../../../rules/rules.ts";
import { orMayBeDone } from "../../../session/wordsFor.ts";
import { message, messageTitle, type TitledCode } from "../../../ui/messages.ts";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";

/** Calls the latest `onUploaded`: its place may have changed during the upload. */
export function useUpload<Answer>(
  endpoint: UploadEndpoint<Answer>,
  onUploaded: (answer: Answer) => void,
) {
  /** The part sent, from 0 to 1; undefined if nothing is being sent. */
  const [progress, setProgress] = useState<number>();
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);
  const latest = useRef(onUploaded);
  useLayoutEffect(() => {
    latest.current = onUploaded;
  });

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
      const answer = await uploadFile({ ...endpoint, file }, watching);
      latest.current(answer);
      toastSuccess(endpoint.messages.uploaded);
    } catch (error) {
      if (call.signal.aborted) return undefined;
      await toastUploadFailure(endpoint, file, error);
      return error;
    } finally {
      underWay.current = undefined;
      setProgress(undefined);
    }
    return undefined;
  }

  return { progress, upload, cancel: () => underWay.current?.abort() };
}

interface UploadChecks {
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

interface UploadFailure {
  reason: string;
  /** The same file would be refused again. */
  isFinal: boolean;
}

export const FILE_MOVED = "The file has changed or moved since it was chosen. Choose it again.";

/** Shows why a file was not uploaded, and returns that. */
async function toastUploadFailure(
  endpoint: UploadChecks,
  file: File,
  error: unknown,
): Promise<UploadFailure> {
  const { code, fields, said, isSilence } = apiError(error);
  const aboutFile = fields.file ?? (code === "file_too_large" ? said : undefined);
  const { title, text } = message(endpoint.messages.failed);
  // A refused text field shows its own problem too.
  const [aboutText] = Object.values(fields);
  const moved = isSilence && !(await isReadable(file)) ? FILE_MOVED : undefined;
  const refused = aboutFile ?? moved ?? (code === "storage_full" ? said : undefined) ?? aboutText;
  const reason = refused ?? orMayBeDone(error, text);
  const fileTitle = aboutFile === undefined ? undefined : UPLOAD_TITLES[code];
  showToast({ title: fileTitle ?? title, description: reason, isError: true });
  return { reason, isFinal: (aboutFile ?? moved) !== undefined };
}

export interface Upload {
  id: number;
  file: File;
  state: { at: "waiting" } | { at: "sending"; part: number } | ({ at: "failed" } & UploadFailure);
}

/**
 * Uploads files one after the other, and calls `onEnded` after each. Failed ones stay listed with the reason until
 * dismissed.
 */
export function useUploads(endpoint: UploadEndpoint<unknown>, onEnded: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  /** Those that wait or are under way. */
  const [calls] = useState(() => new Map<number, AbortController>());
  const line = useRef(Promise.resolve());
  const count = useRef(0);
  const isMounted = useIsMounted();
  useEffect(
    () => () => {
      for (const call of calls.values()) call.abort();
    },
    [calls],
  );

  function change(id: number, state: Upload["state"]): void {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  }

  function forget(id: number): void {
    setUploads((all) => all.filter((upload) => upload.id !== id));
  }

  async function sendOne({ id, file }: Upload, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    change(id, { at: "sending", part: 0 });
    try {
      const onProgress = (part: number) => change(id, { at: "sending", part });
      await uploadFile({ ...endpoint, file }, { onProgress, signal });
      forget(id);
      toastSuccess(endpoint.messages.uploaded);
    } catch (error) {
      if (!signal.aborted)
        change(id, { at: "failed", ...(await toastUploadFailure(endpoint, file, error)) });
    } finally {
      calls.delete(id);
      // A failed one may be stored, if only its answer was lost.
      onEnded();
    }
  }

  function enqueue(upload: Upload): void {
    const call = new AbortController();
    calls.set(upload.id, call);
    line.current = line.current.then(() => sendOne(upload, call.signal));
  }

  async function add(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      count.current += 1;
      const upload: Upload = { id: count.current, file, state: { at: "waiting" } };
      const reason = await checkFile(endpoint, file);
      // Unmounted while it was checked.
      if (!isMounted()) return;
      if (reason === undefined) {
        setUploads((all) => [...all, upload]);
        enqueue(upload);
      } else {
        const state = { at: "failed", reason, isFinal: true } as const;
        setUploads((all) => [...all, { ...upload, state }]);
      }
    }
  }

  function drop(id: number): void {
    calls.get(id)?.abort();
    calls.delete(id);
    forget(id);
  }

  function again(upload: Upload): void {
    if (calls.has(upload.id)) return;
    change(upload.id, { at: "waiting" });
    enqueue(upload);
  }

  return { uploads, add, drop, again };
}

interface FileRequest<Answer> {
  to: UploadTarget<Answer>;
  file: File;
  texts?: Readonly<Record<string, string | null>>;
}

/** A request that makes no progress for this long is given up. */
const STALL_TIMEOUT_MS = 90_000;

/** The idempotency keys of a file's requests, by address, so that a repeated upload is taken once. */
const names = new WeakMap<File, Map<string, RequestNames>>();

type RequestNames = ReturnType<typeof createRequestNames>;

function namesOf(file: File, url: string): RequestNames {
  const ofFile = names.get(file) ?? new Map<string, RequestNames>();
  names.set(file, ofFile);
  const there = ofFile.get(url) ?? createRequestNames();
  ofFile.set(url, there);
  return there;
}

/**
 * Sends a file with progress, which `fetch` cannot report. Throws `ApiError` if refused or stalled, and the signal's
 * reason if aborted.
 */
export function uploadFile<Answer>(
  { to: { method, url }, file, texts = {} }: FileRequest<Answer>,
  { onProgress, signal }: { onProgress?: (part: number) => void; signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const call = new XMLHttpRequest();
    let stall: ReturnType<typeof setTimeout> | undefined;
    function expectMove(): void {
      clearTimeout(stall);
      stall = setTimeout(() => giveUp(broken("Nothing moved for too long.")), STALL_TIMEOUT_MS);
    }
    function giveUp(reason: unknown): void {
      reject(reason);
      call.abort();
    }
    const requests = namesOf(file, url);
    call.open(method, url);
    for (const [name, key] of Object.entries(requests.of(texts))) {
      call.setRequestHeader(name, key);
    }
    call.responseType = "text";
    call.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      expectMove();
      if (lengthComputable) onProgress?.(loaded / total);
    };
    call.onload = () => {
      const body = parseJson(call.responseText);
      if (call.status < 200 || call.status >= 300) {
        const retryAfter = call.getResponseHeader("retry-after") ?? "";
        reject(heed(refusal(call.status, body, new Headers({ "retry-after": retryAfter }))));
      } else if (body === undefined) {
        reject(broken("no JSON"));
      } else {
        requests.end();
        resolve(body as Answer);
      }
    };
    call.onerror = () => reject(broken("The connection broke."));
    call.onloadend = () => clearTimeout(stall);
    signal.addEventListener("abort", () => giveUp(signal.reason));
    expectMove();
    const form = new FormData();
    for (const [name, text] of Object.entries(texts)) {
      if (text !== null) form.append(name, text);
    }
    form.append("file", file);
    call.send(form);
  });
}

function broken(detail: string): ApiError {
  return new ApiError(0, { detail });
}
