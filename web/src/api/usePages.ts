import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { pagesQuery } from "./queries.ts";
import { readState } from "./readState.ts";

/**
 * The rows read so far, and how to get more. With `keepsLast`, the rows of another query stay until those of this one
 * are here.
 */
export function usePages<Row>(query: ReturnType<typeof pagesQuery<Row>>, keepsLast = false) {
  const pages = useInfiniteQuery({
    ...query,
    ...(keepsLast && { placeholderData: keepPreviousData }),
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const pageCount = data?.pages.length ?? 0;
  const loadMore = useCallback(
    () => loadNextPage(fetchNextPage, pageCount),
    [fetchNextPage, pageCount],
  );
  // Memoised, so that views can compare and defer it.
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    items,
    // A failed read is retried with an empty list; it is not loading any more.
    isLoading: readState(pages) === "loading",
    /** True if the query was answered and there is nothing. */
    isEmpty: data !== undefined && !pages.isPlaceholderData && items.length === 0,
    /** True while the rows are those of another query. */
    isLast: pages.isPlaceholderData,
    hasMore: hasNextPage,
    nextCursor: data?.pages.at(-1)?.next_cursor ?? undefined,
    isLoadingMore: isFetchingNextPage,
    /** The next page was refused; it is not retried automatically. */
    isMoreRefused: pages.isFetchNextPageError,
    loadMore,
  };
}

interface Outcome {
  data?: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isError: boolean;
}

type FetchNextPage = (options: { cancelRefetch: boolean }) => Promise<Outcome>;

/**
 * Reads the page after the `pageCount` present ones. A refresh that is under way is not cancelled: the page is read
 * after it.
 */
export async function loadNextPage(fetch: FetchNextPage, pageCount: number): Promise<void> {
  const { data, hasNextPage, isError } = await fetch({ cancelRefetch: false });
  const hasGrown = (data?.pages.length ?? 0) > pageCount;
  if (!hasGrown && hasNextPage && !isError) await fetch({ cancelRefetch: false });
}
