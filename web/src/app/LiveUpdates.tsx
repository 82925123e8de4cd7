// Turns what the server tells into reads asked again. Shows nothing.
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { reconnectDelayMs } from "../api/backOff.ts";
import type { LiveMessage } from "../api/live/stream.ts";
import { followChanges } from "../api/live/tab.ts";
import { isReadOf } from "../api/live/tables.ts";
import { sessionQuery } from "../session/sessionQuery.ts";
import { useAuth } from "../session/useAuth.ts";

/** Changes that arrive together (a catalogue being loaded) cause one read, this much later. */
const GATHER_MS = 50;

/** Keeps what is on show current, going on after the event its data was served with. */
export function LiveUpdates({ after }: { after: number | undefined }) {
  const client = useQueryClient();
  const session = useChangeOfSession();
  const last = useRef(after);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream belongs to the session it was opened in, and ends with it
  useEffect(() => {
    const gather = gatherChanges(client);
    const stop = followChanges({
      after: last.current,
      waitBefore: reconnectDelayMs,
      onMessage: (message) => {
        if (message.kind === "change") last.current = message.id;
        gather.handleMessage(message);
      },
    });
    const readAll = (event: PageTransitionEvent) => {
      if (event.persisted) void client.invalidateQueries();
    };
    window.addEventListener("pageshow", readAll);
    return () => {
      window.removeEventListener("pageshow", readAll);
      gather.stop();
      stop();
    };
  }, [client, session]);
  return null;
}

/** Counts the changes of session since the page opened; learning of the one it opened in is none. */
function useChangeOfSession(): number {
  const { loading, session } = useAuth();
  const id = loading ? undefined : (session?.id ?? null);
  const [known, setKnown] = useState(id);
  const [count, setCount] = useState(0);
  if (id !== known) {
    setKnown(id);
    if (known !== undefined) setCount(count + 1);
  }
  return count;
}

function gatherChanges(client: QueryClient) {
  /** The tables that changed, and which of their rows. */
  const tables = new Map<string, Set<string>>();
  /** Reads that are asked again once the one on its way has ended. */
  const awaited = new Set<string>();
  /** Reads that catch up with some rows, and which rows changed meanwhile. */
  const catching = new Map<string, Set<string>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function readAgain(): void {
    timer = undefined;
    const changed = [...tables];
    tables.clear();
    for (const read of client.getQueryCache().getAll()) {
      const rows = changed.filter(([table]) => isReadOf(table, read.queryKey[0]));
      if (rows.length === 0) continue;
      if (read.meta?.catchUp) void catchUp(read, new Set(rows.flatMap(([, keys]) => [...keys])));
      else readWhole(read);
    }
  }

  function readWhole(read: Query): void {
    if (isUnderWay(read)) void readAfter(read);
    else void client.invalidateQueries({ queryKey: read.queryKey, exact: true });
  }

  /** One after the other: what changes meanwhile is caught up with together. Nobody waits for what nobody looks at. */
  async function catchUp(read: Query, keys: ReadonlySet<string>): Promise<void> {
    const waiting = catching.get(read.queryHash);
    if (waiting) {
      for (const key of keys) waiting.add(key);
      return;
    }
    const more = new Set<string>();
    catching.set(read.queryHash, more);
    // After a failure the whole of it is read.
    const catchUpWith = () => read.meta?.catchUp?.(client, read, keys).catch(() => false);
    const isDone = read.isActive() && (await catchUpWith());
    catching.delete(read.queryHash);
    if (!isDone) readWhole(read);
    else if (more.size > 0) await catchUp(read, more);
  }

  /**
   * Lets a read on its way end before it is asked again: its answer may be older than the change, but broken off at
   * every change a list of many pages would never be read to its end.
   */
  async function readAfter(read: Query): Promise<void> {
    if (awaited.has(read.queryHash)) return;
    awaited.add(read.queryHash);
    // Of the read itself: the client leaves out one that is read ahead for the first time, which would pass for current then.
    await read.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
    awaited.delete(read.queryHash);
    await client.invalidateQueries({ queryKey: read.queryKey, exact: true });
  }

  return {
    handleMessage(message: LiveMessage): void {
      switch (message.kind) {
        case "change":
          tables.set(message.table, (tables.get(message.table) ?? new Set()).add(message.key));
          timer ??= setTimeout(readAgain, GATHER_MS);
          break;
        case "gap":
          void client.invalidateQueries();
          break;
        case "lost":
          // The smallest read tells whether the server is gone or only the stream was cut; a server that is stopping may
          // answer it still, so it is asked at every try. A stream is also cut when its session ends. A read that is
          // being tried again goes on in its own time.
          void client.invalidateQueries({
            predicate: (read) => {
              const [url] = read.queryKey;
              const tells =
                isReadOf("maintenance_settings", url) || url === sessionQuery.queryKey[0];
              return tells && !isTriedAgain(read);
            },
          });
          break;
      }
    },
    /** What was told already is read at once: whoever listens next goes on after it, and hears of it no more. */
    stop(): void {
      if (timer === undefined) return;
      clearTimeout(timer);
      readAgain();
    },
  };
}

/** True for a read that failed and waits for its next try. */
function isTriedAgain({ state }: Query): boolean {
  return state.fetchStatus === "fetching" && state.fetchFailureCount > 0;
}

/** True for a read whose answer is expected; one that failed and waits for its next try is none. */
function isUnderWay({ state }: Query): boolean {
  return state.fetchStatus === "fetching" && state.fetchFailureCount === 0;
}
