// One file on its way to the label by tus: sent in chunks, continued after whatever breaks it, taken back when it is
// given up. It knows no React and says nothing to anybody; the tus client is loaded with this file.
import { type DetailedError, type HttpRequest, type HttpResponse, Upload } from "tus-js-client";
import { reconnectDelayMs } from "../../../api/backOff.ts";
import { type ApiError, refusal } from "../../../api/client.ts";
import { idempotencyKey } from "../../../api/idempotencyKey.ts";
import { RECONNECT_MS } from "../../../rules/generated/constants.ts";
import { claim } from "./claim.ts";
import { FileUnreadable, UploadCancelled } from "./failures.ts";
import { lastUpload } from "./lastUpload.ts";
import { classifyError, decideRetry } from "./retryDecision.ts";

const ENDPOINT = "/api/demos";
/** Small enough that proxies pass it on and a break costs little, large enough that a good line is never idle. */
const CHUNK_BYTES = 16 * 1_048_576;
/** A request that moves nothing for so long is as good as broken. */
const STALL_TIMEOUT_MS = 90_000;
/** The same, once the browser says that it has a connection again. */
const ONLINE_STALL_TIMEOUT_MS = 3_000;

/** What travels with the file, in the server's spelling. */
export interface DemoMetadata {
  artist_name: string;
  email: string;
  message: string;
}

/** What travels with a file that takes the place of a demo's: the rest stands with the demo. */
export interface Replacing {
  /** The token of the demo's page. */
  replaces: string;
}

/** Where a transfer stands; bytes of the whole file. */
export type TransferState =
  | { at: "preparing" }
  | { at: "sending"; sent: number; total: number }
  /** Everything is there and being checked. */
  | { at: "checking"; total: number }
  /** Nothing travels until then, or until the connection is back where that is what is missing. */
  | {
      at: "waiting";
      for: "connection" | "server";
      sent: number;
      total: number;
      retryAt: number;
    };

interface TransferOptions {
  /** Aborting it gives the transfer up, here and at the server. */
  signal: AbortSignal;
  onState: (state: TransferState) => void;
}

/** Sends the file and resolves to the upload's address when the label has it. Rejects with `ApiError`, `FileUnreadable` or `UploadCancelled`. */
export async function transfer(
  file: File,
  words: DemoMetadata | Replacing,
  { signal, onState }: TransferOptions,
): Promise<string | null> {
  onState({ at: "preparing" });
  const attempt = new Transfer(file, words, onState);
  const giveUp = () => attempt.giveUp();
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  try {
    return await attempt.run();
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** The question how far an upload is was answered with a refusal. */
class QuestionRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the server answered ${status}`);
    this.status = status;
  }
}

class Transfer {
  private readonly file: File;
  private readonly words: Record<string, string>;
  private readonly onState: (state: TransferState) => void;
  private readonly upload: Upload;
  private readonly outcome: Promise<void>;
  /** The outcome once more, for whoever only waits for the end. */
  private readonly end: Promise<unknown>;
  /** Names the announcement: asked again because its answer got lost, it opens no second upload. */
  private readonly announcement = idempotencyKey()["Idempotency-Key"];
  private isOver = false;
  private accept: () => void = () => undefined;
  private refuse: (error: Error) => void = () => undefined;
  /** Bytes the server has said it holds. */
  private confirmed = 0;
  /** Failures since it last said so of more. */
  private failures = 0;
  /** Those of them in a row that were answers. */
  private troubles = 0;
  private lastMethod = "";
  private movedAt = 0;
  private isWaiting = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Breaks off the request that `askAgain` makes. */
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
      // The waits are ours: they never run out while the line is down.
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
      if (!this.isOver) this.start();
      await this.outcome;
      return this.upload.url;
    } finally {
      clearInterval(watch);
      clearTimeout(this.retry);
      window.removeEventListener("online", onOnline);
    }
  }

  giveUp(): void {
    if (this.isOver) return;
    // An upload that is just being created is given up as soon as it has an address, so that nothing is left behind.
    if (this.upload.url !== null || this.isWaiting) this.takeBack();
    this.settle(new UploadCancelled());
  }

  /** Finds what this tab sent before, and goes on with it if it was the same file under the same words. */
  private async goOnWhereItStopped(): Promise<void> {
    const [last] = await lastUpload.findAllUploads();
    if (!last?.uploadUrl || !(await claim(last.uploadUrl, this.end))) return;
    const [ofThisFile] = await this.upload.findPreviousUploads();
    if (ofThisFile && isSame(ofThisFile.metadata, this.words)) {
      this.upload.resumeFromPreviousUpload(ofThisFile);
    } else {
      // Another file, or other words: nobody finishes it any more.
      void takeBack(last.uploadUrl);
      await lastUpload.removeUpload(last.urlStorageKey);
    }
  }

  private start(): void {
    clearTimeout(this.retry);
    this.asking?.abort();
    this.isWaiting = false;
    this.movedAt = Date.now();
    this.upload.start();
  }

  private note(request: HttpRequest, response: HttpResponse): void {
    this.lastMethod = request.getMethod();
    const status = response.getStatus();
    // The client would take any failed question for a lost upload and begin another one.
    if (this.lastMethod === "HEAD" && status >= 300 && status !== 404 && status !== 410) {
      throw new QuestionRefused(status);
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
    this.onState(sent < total ? { at: "sending", sent, total } : { at: "checking", total });
  }

  /** All bytes are at the server. Whether it takes the file, the answer to the last of them says. */
  private async conclude(): Promise<void> {
    if (this.isOver) return;
    if (this.lastMethod === "HEAD") await this.askAgain();
    else this.settle();
  }

  /** That answer was lost on the way. Sending nothing at the end asks for it again. */
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
    // Given up, or broken off for the next try.
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
    if (!(question instanceof QuestionRefused)) {
      const { error, method } = classifyError(cause);
      await this.handleFailure(error, method);
    } else if (question.status === 422) {
      // The file was refused. The answer to a question has no words, so it is asked for.
      await this.askAgain();
    } else {
      await this.handleFailure(refusal(question.status, undefined), "HEAD");
    }
  }

  private async handleFailure(error: ApiError, method: string): Promise<void> {
    // A file that cannot be read any more fails like a broken line.
    if (error.status === 0 && !(await isReadable(this.file))) {
      this.settle(new FileUnreadable());
      return;
    }
    if (this.isOver) return;
    const decision = decideRetry(error, method, this.troubles);
    if (decision.is === "final") {
      // What was refused is over; what only could not be taken now may go on later.
      if (error.status < 500 && error.status !== 429) await this.forget();
      this.settle(error);
      return;
    }
    const wait = Math.max(reconnectDelayMs(this.failures), decision.atLeastMs);
    this.failures += 1;
    this.troubles = error.status === 0 ? 0 : this.troubles + 1;
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

  /** The browser has a connection again: no need to wait, and what hung on the old one hangs for good. */
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
    // The client notes the address right after it told of it.
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

/** Asks the server to throw an upload away; what it does not hear of goes by itself a day later. */
async function takeBack(url: string): Promise<void> {
  const isLost = ({ originalResponse }: DetailedError) =>
    (originalResponse?.getStatus() ?? 500) >= 500;
  await Upload.terminate(url, { retryDelays: [...RECONNECT_MS], onShouldRetry: isLost }).catch(
    () => undefined,
  );
}

/** Whether the file is still what was chosen. */
async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(() => true)
    .catch(() => false);
}

function isSame(before: Record<string, string>, now: Record<string, string>): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
