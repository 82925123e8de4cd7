// Turns the server's events into reads made again. Renders nothing.
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { reconnectDelayMs } from "../api/backOff.ts";
import type { LiveMessage } from "../api/live/stream.ts";
import { followChanges } from "../api/live/tab.ts";
import { isReadOf } from "../api/live/tables.ts";
import { sessionQuery } from "../session/sessionQuery.ts";
import { useAuth } from "../session/useAuth.ts";

/** Changes that arrive together (a catalogue being loaded) cause one read, after this. */
const GATHER_MS = 50;

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

/** Counts changes of the session; learning of the first one does not count. */
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
  /** The changed tables, and the keys of their rows. */
  const tables = new Map<string, Set<string>>();
  /** Reads to be made again when the present one ends. */
  const awaited = new Set<string>();
  /** Reads that are catching up, and the rows that have changed since. */
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

  /** One at a time per read; later changes are caught up with together. Inactive reads are invalidated. */
  async function catchUp(read: Query, keys: ReadonlySet<string>): Promise<void> {
    const waiting = catching.get(read.queryHash);
    if (waiting) {
      for (const key of keys) waiting.add(key);
      return;
    }
    const more = new Set<string>();
    catching.set(read.queryHash, more);
    const catchUpWith = () => read.meta?.catchUp?.(client, read, keys).catch(() => false);
    const isDone = read.isActive() && (await catchUpWith());
    catching.delete(read.queryHash);
    if (!isDone) readWhole(read);
    else if (more.size > 0) await catchUp(read, more);
  }

  /**
   * Makes a read again after the present one ends. Its answer may be older than the change, but cancelled at every
   * change, a list of many pages would never be complete.
   */
  async function readAfter(read: Query): Promise<void> {
    if (awaited.has(read.queryHash)) return;
    awaited.add(read.queryHash);
    // Not by the client, which skips a read that is read ahead for the first time: it would then pass for current.
    await read.fetch(undefined, { cancelRefetch: false }).catch(() => undefined);
    // A further page that waits for the present read goes first.
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    awaited.delete(read.queryHash);
    // Not a read that was forgotten, as at a sign-out.
    const present = client.getQueryCache().get(read.queryHash);
    if (present) readWhole(present);
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
          // These small reads show whether the server is gone or only the stream was cut, as it is when the session
          // ends. A stopping server may still answer, so they are made at every try, except where one waits for its
          // retry.
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
    /** Pending changes are read at once: the next listener resumes after them. */
    stop(): void {
      if (timer === undefined) return;
      clearTimeout(timer);
      readAgain();
    },
  };
}

/** True for a failed read that waits for its retry. */
function isTriedAgain({ state }: Query): boolean {
  return state.fetchStatus === "fetching" && state.fetchFailureCount > 0;
}

/** True for a read in flight that has not failed. */
function isUnderWay({ state }: Query): boolean {
  return state.fetchStatus === "fetching" && state.fetchFailureCount === 0;
}
