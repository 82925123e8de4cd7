// Reads made before their answer is looked at: while a link to their page is pointed at, and beside the page's code.
import type {
  InfiniteQueryExecuteOptions,
  QueryClient,
  QueryExecuteOptions,
  QueryKey,
} from "@tanstack/react-query";
import { apiError } from "./client.ts";

/** What `readQuery` or `pagesQuery` makes. */
export interface Read {
  queryKey: QueryKey;
  /** Of reads that come in pages. */
  initialPageParam?: unknown;
}

/**
 * Makes the read, unless its answer is held and no change of it was told since. A read that fails is tried again once somebody looks at it, and
 * not sooner.
 *
 * Answers whether its answer is held, for reads that follow from it; a loader that gave this back would make its page wait.
 */
export function readAhead(client: QueryClient, read: Read): Promise<boolean> {
  // What is painted is made of the data it came with alone.
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
  // Every failed read is logged where all are.
  return made.then(
    () => true,
    () => false,
  );
}
