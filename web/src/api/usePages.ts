// A list that can grow, read page by page, as a view needs it.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { loadNextPage } from "./nextPage.ts";
import type { pagesQuery } from "./queries.ts";
import { readState } from "./readState.ts";

/**
 * The rows read so far, whether the first are still on their way, and how to get more. With `keepsLast`, the rows of another query
 * stay until those of this one are there.
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
  // The same rows are the same array, so that views may compare and defer it.
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    items,
    // A failed read leaves the list empty while it is tried again; it is not loading any more.
    isLoading: readState(pages) === "loading",
    /** Whether the rows are still those of another query. */
    isLast: pages.isPlaceholderData,
    hasMore: hasNextPage,
    /** Where the next page begins. */
    nextCursor: data?.pages.at(-1)?.next_cursor ?? undefined,
    isLoadingMore: isFetchingNextPage,
    /** The next page was refused, and is not tried again by itself. */
    isMoreRefused: pages.isFetchNextPageError,
    loadMore,
  };
}
