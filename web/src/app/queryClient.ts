// The query cache's habits: what counts as worth another try, and how failures are logged.
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";
import { waitBefore } from "./backOff.ts";

/** Read again on return to a page after this time, should live updates be out of reach. */
const STALE_AFTER_MS = 60_000;

/** True for failures that another try may mend. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.isTransient;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => console.error("Reading failed", query.queryKey[0], error),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        // A failed read is tried until it succeeds; meanwhile the page says so.
        retry: (_failures, error) => isTransient(error),
        retryDelay: waitBefore,
        // The browser's own idea of being online is a guess; the answer is what counts.
        networkMode: "always",
      },
    },
  });
}
