// One event stream from the server: where it resumes after a break, and how long it waits before it tries again.
// `tab.ts` decides which tab owns it.
import { SLEEP_MS, WAKE_CHECK_MS } from "../../rules/generated/constants.ts";

export type LiveMessage =
  /** `id` is the event's place in the server's log. */
  | { kind: "change"; table: string; key: string; id: number }
  /** Changes may have been missed: everything on show has to be read again. */
  | { kind: "gap" }
  /** The stream broke, or reconnecting failed; it is retried. */
  | { kind: "lost" };

export interface StreamOptions {
  after: number | undefined;
  /** Milliseconds before try number `attempt` (from 0). */
  waitBefore: (attempt: number) => number;
  onMessage: (message: LiveMessage) => void;
}

/**
 * Opens the stream and keeps it open until the returned function is called. It is reopened after the machine slept and
 * when the browser is back online, as the old connection may be gone without an error.
 */
export function openStream({ after, waitBefore, onMessage }: StreamOptions): () => void {
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
