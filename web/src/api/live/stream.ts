// One event stream from the server: where it goes on after a break, and how long it waits before
// it tries again. Which tab owns it is `tab.ts`.
import { SLEEP_MS, WAKE_CHECK_MS } from "../../rules/generated/constants.ts";

/** What a stream tells. */
export type LiveMessage =
  /** A row of a table changed; `id` is the event's place in the server's log. */
  | { kind: "change"; table: string; key: string; id: number }
  /** Changes may have been missed: everything on show is to be read again. */
  | { kind: "gap" }
  /** The stream broke, or a try to open it again failed; it is already on its way back. */
  | { kind: "lost" };

export interface StreamOptions {
  /** The newest event already seen, if any. */
  after: number | undefined;
  /** Milliseconds before try number `attempt` (from 0). */
  waitBefore: (attempt: number) => number;
  onMessage: (message: LiveMessage) => void;
}

/**
 * Opens the stream and keeps it open until the returned function is called. After a sleep of the machine, and when the line is
 * back, it is opened anew: the old connection may be gone without anybody having told the browser.
 */
export function openStream({ after, waitBefore, onMessage }: StreamOptions): () => void {
  // Reads are then made again when their reader comes back to the page.
  if (typeof EventSource === "undefined") return () => {};
  let last = after;
  let attempt = 0;
  let broken = false;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    const opened = new EventSource(
      last === undefined ? "/api/events" : `/api/events?after=${last}`,
    );
    source = opened;
    opened.onopen = () => {
      attempt = 0;
      if (broken) onMessage({ kind: "gap" });
      broken = false;
    };
    opened.addEventListener("hello", (event) => {
      last ??= (JSON.parse(event.data) as { last: number }).last;
    });
    opened.addEventListener("change", (event) => {
      const { table, key } = JSON.parse(event.data) as { table: string; key: string };
      last = Number(event.lastEventId);
      onMessage({ kind: "change", table, key, id: last });
    });
    opened.addEventListener("resync", (event) => {
      if (event.lastEventId !== "") last = Number(event.lastEventId);
      onMessage({ kind: "gap" });
    });
    opened.onerror = () => {
      broken = true;
      onMessage({ kind: "lost" });
      opened.close();
      timer = setTimeout(connect, waitBefore(attempt));
      attempt += 1;
    };
  }

  function reopen(): void {
    clearTimeout(timer);
    source?.close();
    attempt = 0;
    connect();
  }

  let checkedAt = Date.now();
  const wakeCheck = setInterval(() => {
    const slept = Date.now() - checkedAt > SLEEP_MS;
    checkedAt = Date.now();
    if (slept) reopen();
  }, WAKE_CHECK_MS);
  globalThis.addEventListener("online", reopen);

  connect();
  return () => {
    globalThis.removeEventListener("online", reopen);
    clearInterval(wakeCheck);
    clearTimeout(timer);
    source?.close();
  };
}
