// The query client: what is worth a retry, and how failures are logged.
import { QueryClient, type QueryObserverOptions } from "@tanstack/react-query";
import { reconnectDelayMs } from "../api/backOff.ts";
import { apiError } from "../api/client.ts";

/** Data older than this is read again on return to a page, should live updates fail. */
const STALE_AFTER_MS = 60_000;

/** A refused read is not asked for again within this time. */
const REFUSED_FOR_MS = 5_000;

/** The longest timer of browsers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The wait the server asked for (`Retry-After`). */
function askedWaitMs(error: Error): number {
  return Math.min((apiError(error).retryAfterSeconds ?? 0) * 1_000, LONGEST_TIMER_MS);
}

const TRIES: Pick<QueryObserverOptions, "retry" | "retryDelay" | "retryOnMount"> = {
  // A refusal is an answer. A part of the page that is shown for it and makes the same read would ask without end.
  retryOnMount: ({ state: { error, errorUpdatedAt } }) =>
    !error || apiError(error).isTransient || Date.now() - errorUpdatedAt > REFUSED_FOR_MS,
  // Failed reads are retried until they succeed. A read sent while a call replaced the session's token is retried once,
  // with the new token.
  retry: (failures, error) =>
    apiError(error).isTransient || (failures === 0 && apiError(error).code === "not_authenticated"),
  retryDelay: (failures, error) => Math.max(reconnectDelayMs(failures), askedWaitMs(error)),
};

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        ...(import.meta.env.SSR ? { retryOnMount: false } : TRIES),
        // The browser's own idea of being online is a guess.
        networkMode: "always",
      },
      // Paused while the browser thinks it is offline, a call would seem pending and never fail.
      mutations: { networkMode: "always" },
    },
  });
  if (!import.meta.env.SSR) logFailures(client);
  return client;
}

/** Logs every failed try; a 404 is an answer. */
function logFailures(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type !== "failed" && event.action.type !== "error") return;
    const error = apiError(event.action.error);
    // The last failed try is reported twice; the last report counts.
    if (event.action.type === "failed" && !error.isTransient) return;
    if (error.status === 404) return;
    console.error(`Reading ${event.query.queryKey[0]} failed: ${error.message}`);
  });
}
