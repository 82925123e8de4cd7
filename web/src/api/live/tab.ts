// One stream per browser: the tab that holds the lock leads and passes on what it hears; when it
// closes, the next one takes over where the news left off.
import { openChannel } from "./channel.ts";
import { type LiveMessage, openStream, type StreamOptions } from "./stream.ts";

const NAME = "deadwax-live";

/** What tabs say to each other besides passing messages on. */
type TabMessage =
  | LiveMessage
  /** A tab opened whose data is as of this event. */
  | { kind: "join" }
  /** The leader's answer: what it has passed on so far. */
  | { kind: "position"; last: number | undefined };

/** Follows the server's changes, leading or following. The returned function ends it. */
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
        if (last !== undefined && data.last !== undefined && data.last > last) {
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
      .catch((cause: unknown) => {
        if (!ended.signal.aborted) console.error("Waiting to lead the live updates failed", cause);
      });
  } else {
    // Without locks, or channels to pass on what is heard, every tab listens for itself.
    lead();
  }

  return () => {
    ended.abort();
    closeStream?.();
    channel.close();
  };
}
