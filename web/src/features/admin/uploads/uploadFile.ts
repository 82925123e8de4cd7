// Sends a file with progress, which `fetch` cannot report.
import { ApiError, parseJson, refusal, type UploadTarget } from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";

export interface FileRequest<Answer> {
  to: UploadTarget<Answer>;
  file: File;
  texts?: Readonly<Record<string, string | null>>;
}

/** A request that makes no progress for this long is given up. */
const STALL_TIMEOUT_MS = 90_000;

interface Watching {
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

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

/** Throws `ApiError` if refused or stalled, and the signal's reason if aborted. */
export function uploadFile<Answer>(
  { to: { method, url }, file, texts = {} }: FileRequest<Answer>,
  { onProgress, signal }: Watching,
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
      if (lengthComputable) onProgress(loaded / total);
    };
    call.onload = () => {
      const body = parseJson(call.responseText);
      if (call.status < 200 || call.status >= 300) {
        reject(refusal(call.status, body, headersOf(call)));
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

function headersOf(call: XMLHttpRequest): Headers {
  return new Headers({ "retry-after": call.getResponseHeader("retry-after") ?? "" });
}
