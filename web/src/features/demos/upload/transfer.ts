// Sends one file by tus: in chunks, resumed after breaks, and taken back when cancelled. It knows no React; the tus
// client is loaded with this file.
import { type DetailedError, type HttpRequest, type HttpResponse, Upload } from "tus-js-client";
import { reconnectDelayMs } from "../../../api/backOff.ts";
import { ApiError, refusal } from "../../../api/client.ts";
import { idempotencyKey } from "../../../api/idempotencyKey.ts";
import { isReadable } from "../../../api/isReadable.ts";
import { RECONNECT_MS } from "../../../rules/generated/constants.ts";
import { FileUnreadable, UploadCancelled } from "../refusals.ts";
import { claim, lastUpload } from "./lastUpload.ts";
import { classifyError, decideRetry } from "./retryDecision.ts";

const ENDPOINT = "/api/demos";
/** Small enough for proxies and cheap breaks, large enough to keep a good line busy. */
const CHUNK_BYTES = 16 * 1_048_576;
/** A request without progress for this long counts as broken. */
const STALL_TIMEOUT_MS = 90_000;
/** The same, once the browser is back online. */
const ONLINE_STALL_TIMEOUT_MS = 3_000;
/** The server may still be storing the file. */
const LAST_QUESTION_TIMEOUT_MS = 30_000;

export interface DemoMetadata {
  artist_name: string;
  email: string;
  message: string;
}

/** For a file that replaces a demo's; the rest stays with the demo. */
export interface Replacing {
  replaces: string;
}

/** The state of a transfer; bytes of the whole file. */
export type TransferState =
  | { at: "preparing" }
  | { at: "sending"; sent: number; total: number }
  /** All bytes arrived and are being checked. */
  | { at: "checking"; total: number }
  /** Paused until `retryAt`, or until the connection is back. */
  | {
      at: "waiting";
      for: "connection" | "server";
      sent: number;
      total: number;
      retryAt: number;
    };

interface TransferOptions {
  /** Aborting it cancels the transfer, here and at the server. */
  signal: AbortSignal;
  onState: (state: TransferState) => void;
}

/**
 * Sends the file and resolves to the upload's address once it is accepted. Rejects with `ApiError`, `FileUnreadable` or
 * `UploadCancelled`.
 */
export function transfer(
  file: File,
  words: DemoMetadata | Replacing,
  { signal, onState }: TransferOptions,
): Promise<string | null> {
  onState({ at: "preparing" });
  const attempt = new Transfer(file, words, onState);
  const giveUp = () => void attempt.giveUp();
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  return attempt.run();
}

class Transfer {
  private readonly file: File;
  private readonly words: Record<string, string>;
  private readonly onState: (state: TransferState) => void;
  private readonly upload: Upload;
  private readonly outcome: Promise<void>;
  /** Settles with the outcome, and never rejects. */
  private readonly end: Promise<unknown>;
  /** Names the creation: repeated because its answer got lost, it opens no second upload. */
  private readonly announcement = idempotencyKey()["Idempotency-Key"];
  private isOver = false;
  private accept: () => void = () => undefined;
  private refuse: (error: Error) => void = () => undefined;
  private isSent = false;
  private confirmed = 0;
  /** Failures since the last confirmed progress. */
  private failures = 0;
  /** Consecutive failures that were answers. */
  private troubles = 0;
  private lastMethod = "";
  private starts = 0;
  private movedAt = 0;
  private isWaiting = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private asking: AbortController | undefined;

  constructor(file: File, words: DemoMetadata | Replacing, onState: TransferOptions["onState"]) {
    this.file = file;
    this.words = { ...metadataOf(words), filename: file.name };
    this.onState = onState;
    this.outcome = new Promise((accept, refuse) => {
      this.accept = accept;
      this.refuse = refuse;
    });
    this.end = this.outcome.catch(() => undefined);
    this.upload = new Upload(file, {
      endpoint: new URL(ENDPOINT, window.location.origin).href,
      metadata: this.words,
      chunkSize: CHUNK_BYTES,
      // This class waits itself, without a limit while the line is down.
      retryDelays: null,
      urlStorage: lastUpload,
      removeFingerprintOnSuccess: true,
      onBeforeRequest: (request) => {
        if (request.getMethod() === "POST") request.setHeader("Idempotency-Key", this.announcement);
      },
      onAfterResponse: (request, response) => this.note(request, response),
      onUploadUrlAvailable: () => this.haveAddress(),
      onProgress: (sent) => this.move(sent),
      onSuccess: () => void this.conclude(),
      onError: (error) => void this.fail(error),
    });
  }

  async run(): Promise<string | null> {
    const watch = setInterval(() => this.breakStall(STALL_TIMEOUT_MS), 5_000);
    const onOnline = () => this.comeBack();
    window.addEventListener("online", onOnline);
    try {
      await this.goOnWhereItStopped();
      this.start();
      await this.outcome;
      return this.upload.url;
    } finally {
      clearInterval(watch);
      clearTimeout(this.retry);
      window.removeEventListener("online", onOnline);
    }
  }

  async giveUp(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    if (this.isSent && (await this.isAccepted())) {
      this.settle();
      return;
    }
    // An upload that is being created is cancelled once it has an address, so that nothing is left behind.
    if (this.upload.url !== null || this.isWaiting) this.takeBack();
    this.settle(new UploadCancelled());
  }

  /** Asks whether the server has accepted the file already: then it can no longer be taken back. */
  private async isAccepted(): Promise<boolean> {
    void this.upload.abort();
    this.asking?.abort();
    this.onState({ at: "checking", total: this.file.size });
    const answer = await fetch(this.upload.url ?? "", {
      method: "HEAD",
      headers: { "Tus-Resumable": "1.0.0" },
      signal: AbortSignal.timeout(LAST_QUESTION_TIMEOUT_MS),
    }).catch(() => undefined);
    if (!answer?.ok || Number(answer.headers.get("Upload-Offset")) < this.file.size) return false;
    await this.forget();
    return true;
  }

  /** Resumes this tab's last upload if it has the same file and words. */
  private async goOnWhereItStopped(): Promise<void> {
    const [last] = await lastUpload.findAllUploads();
    if (!last?.uploadUrl || !(await claim(last.uploadUrl, this.end))) return;
    const [ofThisFile] = await this.upload.findPreviousUploads();
    if (ofThisFile && JSON.stringify(ofThisFile.metadata) === JSON.stringify(this.words)) {
      this.upload.resumeFromPreviousUpload(ofThisFile);
    } else {
      // Another file, or other words: the old upload is abandoned.
      void takeBack(last.uploadUrl);
      await lastUpload.removeUpload(last.urlStorageKey);
    }
  }

  private start(): void {
    if (this.isOver) return;
    clearTimeout(this.retry);
    this.asking?.abort();
    this.isWaiting = false;
    this.movedAt = Date.now();
    this.starts += 1;
    this.upload.start();
  }

  private note(request: HttpRequest, response: HttpResponse): void {
    this.lastMethod = request.getMethod();
    const status = response.getStatus();
    // The client would take any failed offset request for a lost upload, and begin another.
    if (this.lastMethod === "HEAD" && status >= 300 && status !== 404 && status !== 410) {
      throw refusal(status, undefined);
    }
    const offset = Number(response.getHeader("Upload-Offset"));
    if (status < 300 && offset > this.confirmed) {
      this.confirmed = offset;
      this.failures = 0;
      this.troubles = 0;
    }
  }

  private haveAddress(): void {
    if (this.isOver) this.takeBack();
    else if (this.upload.url) void claim(this.upload.url, this.end);
  }

  private move(sent: number): void {
    if (this.isOver) return;
    this.movedAt = Date.now();
    const total = this.file.size;
    this.isSent = sent === total;
    this.onState(sent < total ? { at: "sending", sent, total } : { at: "checking", total });
  }

  /** All bytes are sent. The answer to the last request says whether the file is accepted. */
  private async conclude(): Promise<void> {
    if (this.isOver) return;
    if (this.lastMethod === "HEAD") await this.askAgain();
    else this.settle();
  }

  /** That answer got lost. An empty request at the end asks for it again. */
  private async askAgain(): Promise<void> {
    this.onState({ at: "checking", total: this.file.size });
    const url = this.upload.url ?? "";
    const asking = new AbortController();
    this.asking = asking;
    const answer = await fetch(url, {
      method: "PATCH",
      signal: asking.signal,
      headers: {
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": String(this.file.size),
        "Content-Type": "application/offset+octet-stream",
      },
    }).catch(() => undefined);
    // Cancelled, or superseded by the next try.
    if (this.isOver || asking.signal.aborted) return;
    if (answer?.ok) {
      await this.forget();
      this.settle();
    } else {
      const problem: unknown = await answer?.json().catch(() => undefined);
      await this.handleFailure(refusal(answer?.status ?? 0, problem), "PATCH");
    }
  }

  private async fail(cause: Error | DetailedError): Promise<void> {
    if (this.isOver) return;
    const question = "causingError" in cause ? cause.causingError : null;
    if (!(question instanceof ApiError)) {
      const { error, method } = classifyError(cause);
      await this.handleFailure(error, method);
    } else if (question.status === 422) {
      // The file was refused. A HEAD answer has no words, so they are requested.
      await this.askAgain();
    } else {
      await this.handleFailure(question, "HEAD");
    }
  }

  private async handleFailure(error: ApiError, method: string): Promise<void> {
    const { starts } = this;
    // An unreadable file fails like a broken line.
    if (error.status === 0 && !(await isReadable(this.file))) {
      this.settle(new FileUnreadable());
      return;
    }
    // Cancelled, or started again by a connection that is back.
    if (this.isOver || this.starts > starts) return;
    const decision = decideRetry(error, method, this.troubles);
    if (decision.is === "final") {
      // A refused upload is over; a failed one may resume later.
      if (error.status < 500 && error.status !== 429) await this.forget();
      this.settle(error);
      return;
    }
    const wait = Math.max(reconnectDelayMs(this.failures), decision.atLeastMs);
    this.failures += 1;
    if (error.status === 0) this.troubles = 0;
    // A busy server is no trouble.
    else if (decision.atLeastMs === 0) this.troubles += 1;
    this.isWaiting = true;
    this.onState({
      at: "waiting",
      for: error.status === 0 ? "connection" : "server",
      sent: this.confirmed,
      total: this.file.size,
      retryAt: Date.now() + wait,
    });
    this.retry = setTimeout(() => this.start(), wait);
  }

  /** Back online: retries at once, as requests on the old connection hang for good. */
  private comeBack(): void {
    if (this.isWaiting) this.start();
    else this.breakStall(ONLINE_STALL_TIMEOUT_MS);
  }

  private breakStall(patienceMs: number): void {
    if (this.isOver || this.isWaiting || Date.now() - this.movedAt < patienceMs) return;
    void this.upload.abort();
    this.start();
  }

  private takeBack(): void {
    const { url } = this.upload;
    void this.upload.abort();
    if (url) void takeBack(url);
    void this.forget();
  }

  private async forget(): Promise<void> {
    // The client stores the address right after this event.
    await Promise.resolve();
    for (const { uploadUrl, urlStorageKey } of await lastUpload.findAllUploads()) {
      if (uploadUrl === this.upload.url) await lastUpload.removeUpload(urlStorageKey);
    }
  }

  private settle(failure?: Error): void {
    this.isOver = true;
    this.asking?.abort();
    if (failure) this.refuse(failure);
    else this.accept();
  }
}

function metadataOf(words: DemoMetadata | Replacing): Record<string, string> {
  if ("replaces" in words) return { replaces: words.replaces };
  const { artist_name, email, message } = words;
  return { artist_name, email, ...(message.trim() && { message }) };
}

/** Asks the server to delete an upload; otherwise it expires a day later. */
async function takeBack(url: string): Promise<void> {
  const isLost = ({ originalResponse }: DetailedError) =>
    (originalResponse?.getStatus() ?? 500) >= 500;
  await Upload.terminate(url, { retryDelays: [...RECONNECT_MS], onShouldRetry: isLost }).catch(
    () => undefined,
  );
}
