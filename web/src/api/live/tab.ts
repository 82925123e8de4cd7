// One stream per browser: the tab that holds the lock leads and passes messages on; when it closes, the next one resumes
// at the last event.
import { openChannel } from "./channel.ts";
import { type LiveMessage, openStream, type StreamOptions } from "./stream.ts";

const NAME = "deadwax-live";

type TabMessage =
  | LiveMessage
  /** A tab opened, and asks for the leader's position. */
  | { kind: "join" }
  /** The leader's answer: the last event it passed on. */
  | { kind: "position"; last: number | undefined };

/** Follows the server's changes, leading or following, until the returned function is called. */
export function followChanges({ after, waitBefore, onMessage }: StreamOptions): () => void {
  let last = after;
  let closeStream: (() => void) | undefined;
  const channel = openChannel<TabMessage>(NAME, hear);
  const ended = new AbortController();

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
        // Positions have no order.
        if (last !== undefined && data.last !== undefined && data.last !== last) {
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
  }

  if (navigator.locks && typeof BroadcastChannel !== "undefined") {
    channel.post({ kind: "join" });
    navigator.locks
      .request(NAME, { signal: ended.signal }, () => {
        lead();
        return new Promise<void>((resolve) => {
          ended.signal.addEventListener("abort", () => resolve());
        });
      })
      // The browser refuses its locks.
      .catch(() => {
        if (!ended.signal.aborted) lead();
      });
  } else {
    // Without locks or channels every tab listens for itself.
    lead();
  }

  return () => {
    ended.abort();
    closeStream?.();
    channel.close();
  };
}
