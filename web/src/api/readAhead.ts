// Reads made ahead: while a link is pointed at, and beside the code of their page.
import type {
  InfiniteQueryExecuteOptions,
  QueryClient,
  QueryExecuteOptions,
  QueryKey,
} from "@tanstack/react-query";
import { apiError } from "./client.ts";

export interface Read {
  queryKey: QueryKey;
  initialPageParam?: unknown;
}

/**
 * Makes the read unless its answer is cached and current. A failed one is retried only once it is on show. Resolves to
 * true if the data is cached. Don't return this promise from a loader: the page would wait for it.
 */
export function readAhead(client: QueryClient, read: Read): Promise<boolean> {
  // Painted pages use only the data they came with.
  if (import.meta.env.SSR) return Promise.resolve(false);
  const { queryKey } = read;
  const isLookedAt = () =>
    (client.getQueryCache().find({ queryKey })?.getObserversCount() ?? 0) > 0;
  const options = {
    ...read,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (_failures: number, error: Error) => isLookedAt() && apiError(error).isTransient,
  };
  const made: Promise<unknown> =
    "initialPageParam" in read
      ? client.infiniteQuery(options as InfiniteQueryExecuteOptions)
      : client.query(options as QueryExecuteOptions);
  // The query client logs the failure.
  return made.then(
    () => true,
    () => false,
  );
}
