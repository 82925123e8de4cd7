// The query cache's habits: what counts as worth another try, and how failures are logged.
import { QueryClient, type QueryObserverOptions } from "@tanstack/react-query";
import { reconnectDelayMs } from "../api/backOff.ts";
import { apiError } from "../api/client.ts";

/** Read again on return to a page after this time, should live updates be out of reach. */
const STALE_AFTER_MS = 60_000;

/** For so long nothing is asked for again that was not there. */
const ABSENT_FOR_MS = 5_000;

/** What browsers can wait for at most. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How long the server asked to be left alone (`Retry-After`). */
function askedWaitMs(error: Error): number {
  return Math.min((apiError(error).retryAfterSeconds ?? 0) * 1_000, LONGEST_TIMER_MS);
}

/** How often a read is tried, and how soon again. */
const TRIES: Pick<QueryObserverOptions, "retry" | "retryDelay" | "retryOnMount"> = {
  // That there is no such thing is an answer: a page that waited for it shows it.
  retryOnMount: ({ state: { error, errorUpdatedAt } }) =>
    !error || apiError(error).status !== 404 || Date.now() - errorUpdatedAt > ABSENT_FOR_MS,
  // A failed read is tried until it succeeds; meanwhile the page says so. One that was sent while a call replaced the session's
  // token is tried once more, with the token that the call's answer brings.
  retry: (failures, error) =>
    apiError(error).isTransient || (failures === 0 && apiError(error).code === "not_authenticated"),
  retryDelay: (failures, error) => Math.max(reconnectDelayMs(failures), askedWaitMs(error)),
};

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        // While a page is painted nothing is tried.
        ...(import.meta.env.SSR ? { retryOnMount: false } : TRIES),
        // The browser's own idea of being online is a guess; the answer is what counts.
        networkMode: "always",
      },
      // Kept back until the browser takes itself for online, a call would seem to be under way and no failure be said.
      mutations: { networkMode: "always" },
    },
  });
  if (!import.meta.env.SSR) logFailures(client);
  return client;
}

/** Logs every failed try. That something does not exist is an answer, no failure. */
function logFailures(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type !== "failed" && event.action.type !== "error") return;
    const error = apiError(event.action.error);
    // A failed try that ends the trying is reported twice; the last report counts.
    if (event.action.type === "failed" && !error.isTransient) return;
    if (error.status === 404) return;
    console.error(`Reading ${event.query.queryKey[0]} failed: ${error.message}`);
  });
}
