// One stream per browser: the tab that holds the lock leads and passes messages on; when it closes, the next one resumes
// at the last event. Some browsers leave the lock to a tab that sleeps or a page that is kept for Back: a tab in sight
// takes it from a leader that does not answer.
import { openChannel } from "./channel.ts";
import { type LiveMessage, openStream, type StreamOptions } from "./stream.ts";

const NAME = "deadwax-live";

/** A tab in sight asks this often whether its leader is awake. */
const ASK_MS = 5_000;

type TabMessage =
  | LiveMessage
  /** A tab asks for the leader's position. */
  | { kind: "join" }
  /** The last event that the leader passed on: the answer to `join`, and the first word of a new leader. */
  | { kind: "position"; last: number | undefined };

/** Follows the server's changes, leading or following, until the returned function is called. */
export function followChanges({ after, waitBefore, onMessage }: StreamOptions): () => void {
  let last = after;
  let closeStream: (() => void) | undefined;
  let isAnswered = false;
  /** Its place among the tabs that wait for the lock or hold it; aborted where it has none. */
  let place = new AbortController();
  let asking: ReturnType<typeof setInterval> | undefined;
  const channel = openChannel<TabMessage>(NAME, hear);

  function handleMessage(message: LiveMessage): void {
    if (message.kind === "change") last = message.id;
    onMessage(message);
  }

  function hear(data: TabMessage): void {
    switch (data.kind) {
      case "join":
        if (closeStream) channel.post({ kind: "position", last });
        break;
      case "position":
        isAnswered = true;
        // Positions have no order.
        if (!closeStream && last !== undefined && data.last !== undefined && data.last !== last) {
          last = data.last;
          onMessage({ kind: "gap" });
        }
        break;
      default:
        if (!closeStream) handleMessage(data);
    }
  }

  function lead(): void {
    closeStream = openStream({
      after: last,
      waitBefore,
      onMessage: (message) => {
        channel.post(message);
        handleMessage(message);
      },
    });
    channel.post({ kind: "position", last });
  }

  function join(): void {
    isAnswered = false;
    channel.post({ kind: "join" });
  }

  function takePlace(options: { steal?: true } = {}): void {
    place.abort();
    place = new AbortController();
    const { signal } = place;
    navigator.locks
      .request(NAME, options.steal ? options : { signal }, () => {
        if (signal.aborted) return;
        lead();
        return new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
      })
      .catch(({ name }: DOMException) => {
        if (signal.aborted) return;
        closeStream?.();
        closeStream = undefined;
        // Another tab has taken the lock, or the browser. Otherwise the browser refuses its locks.
        if (name === "AbortError") {
          place.abort();
          join();
        } else {
          lead();
        }
      });
  }

  /** A hidden tab asks for nothing: it may be put to sleep next. */
  function ask(): void {
    if (closeStream) return;
    if (!isAnswered && !document.hidden) takePlace({ steal: true });
    else if (place.signal.aborted) takePlace();
    if (!document.hidden) join();
  }

  if (navigator.locks && typeof BroadcastChannel !== "undefined") {
    join();
    takePlace();
    asking = setInterval(ask, ASK_MS);
  } else {
    // Without locks or channels every tab listens for itself.
    lead();
  }

  return () => {
    clearInterval(asking);
    place.abort();
    closeStream?.();
    channel.close();
  };
}
