// A list that can grow, read page by page, as a view needs it.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Answer, type ReadParams, read, urlOf } from "./client.ts";
import { loadNextPage } from "./nextPage.ts";

/** Reads whose answer is one page of a list that can grow. */
type ListPath = "/api/releases" | "/api/artists";

interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}

type Row<P extends ListPath> = Answer<P> extends Page<infer R> ? R : never;

/** The rows read so far, whether the first are still on their way, and how to get more. */
export function usePages<P extends ListPath>(
  path: P,
  query: Readonly<Record<string, string | number>>,
) {
  const paramsFrom = (cursor: string | null) =>
    ({ query: cursor === null ? query : { ...query, cursor } }) as unknown as ReadParams<P>;
  const { data, failureCount, isError, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [urlOf(path, paramsFrom(null))],
      queryFn: ({ pageParam, signal }) =>
        read(path, paramsFrom(pageParam), signal) as Promise<Page<Row<P>>>,
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next_cursor,
    });
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
    isLoading: data === undefined && failureCount === 0 && !isError,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
  };
}
