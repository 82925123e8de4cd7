// The rows of a list, read page by page, searched and kept current.

import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { loadNextPage } from "../../../api/nextPage.ts";
import { pagesQuery } from "../../../api/queries.ts";
import { readState } from "../../../api/readState.ts";
import type { Asked, Page, RowsCalls } from "./rowsCalls.ts";

const SIZES = { first: 50, next: 50 };

type Path = RowsCalls<unknown>["path"];

/** What of a list is asked for; where nothing is, all of it. */
export function rowsQuery<Row extends { id: string }, Read extends Page<Row>>(
  { path, list, sizes = SIZES }: RowsCalls<Row, Read>,
  asked: Asked = {},
) {
  const said = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const address = new URLSearchParams({ limit: String(sizes.first), ...said });
  return pagesQuery<Row, Read>(`${path}?${address}`, (after, signal) =>
    list({ limit: after.cursor ? sizes.next : sizes.first, ...said, ...after }, signal),
  );
}

/** True where not all rows are asked for. */
export function isNarrowed({ q, state }: Asked): boolean {
  return Boolean(q || state);
}

/** What is said of a list without rows: `none` where all were asked for. */
export function emptyText(asked: Asked, none: string): string {
  if (asked.q) return `Nothing found for “${asked.q}”`;
  return isNarrowed(asked) ? "Nothing found" : none;
}

/** The pages read so far, and how the reading stands. */
export function useRows<Row extends { id: string }, Read extends Page<Row> = Page<Row>>(
  calls: RowsCalls<Row, Read>,
  asked: Asked = {},
) {
  const client = useQueryClient();
  const query = rowsQuery(calls, asked);
  const rows = useInfiniteQuery({
    ...query,
    // What was found before stays until the next answer is here.
    placeholderData: keepPreviousData,
    // Pages that were there stay the same objects as it is; comparing every row with itself would only take time.
    structuralSharing: false,
    // A list that nobody looks at is read anew when it is opened: thousands of rows are not worth keeping.
    gcTime: 30_000,
  });
  const { data, failureCount, isError, isPlaceholderData, fetchNextPage } = rows;
  const answer = isPlaceholderData ? undefined : data;
  const pageCount = data?.pages.length ?? 0;
  const loadMore = useCallback(
    () => loadNextPage(fetchNextPage, pageCount),
    [fetchNextPage, pageCount],
  );
  return {
    pages: data?.pages,
    total: data?.pages.at(-1)?.total,
    /** How many answer what is searched for; undefined while that is not known, and where nothing is. */
    found: isNarrowed(asked) ? answer?.pages.at(-1)?.total : undefined,
    /** True while the rows on show answer an older search. */
    isSearching: isPlaceholderData,
    /** Nothing could be read, though it may be tried again already. */
    isFailing: readState({ data: answer, failureCount, isError }) === "failing",
    hasMore: rows.hasNextPage && !isPlaceholderData,
    isLoadingMore: rows.isFetchingNextPage,
    /** The next page was refused, and is not tried again by itself. */
    isMoreRefused: rows.isFetchNextPageError,
    loadMore,
    tryAgain: () => void client.resetQueries({ queryKey: query.queryKey }),
  };
}

/** Shows a row as the server answered it, in every list that holds it. */
export function putRow<Row extends { id: string }>(
  client: QueryClient,
  path: Path,
  row: Row,
): void {
  changePages<Row>(client, path, (page) => ({
    ...page,
    items: page.items.map((item) => (item.id === row.id ? row : item)),
  }));
}

/** A row as a list holds it; undefined where none does. */
export function heldRow<Row extends { id: string }>(
  client: QueryClient,
  path: Path,
  id: string,
): Row | undefined {
  const lists = client.getQueriesData<InfiniteData<Page<Row>>>({
    predicate: ({ queryKey: [url] }) => isListOf(path, url),
  });
  const items = lists.flatMap(([, held]) => held?.pages ?? []).flatMap((page) => page.items);
  return items.find((item) => item.id === id);
}

/** Takes a row out of every list that holds it. */
export function dropRow(client: QueryClient, path: Path, id: string): void {
  dropRows(client, path, [id]);
}

/** Takes rows out of every list that holds them. */
export function dropRows(client: QueryClient, path: Path, ids: readonly string[]): void {
  const gone = new Set(ids);
  changePages<{ id: string }>(client, path, (page, isHeld) => ({
    ...page,
    items: page.items.filter((item) => !gone.has(item.id)),
    total: page.total - ids.filter(isHeld).length,
  }));
}

/** Reads every list of these rows again, whether it comes in pages or whole. */
export function readRowsAgain(client: QueryClient, path: Path): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [url] }) => url === path || isListOf(path, url),
  });
}

function changePages<Row extends { id: string }>(
  client: QueryClient,
  path: Path,
  change: (page: Page<Row>, isHeld: (id: string) => boolean) => Page<Row>,
): void {
  client.setQueriesData<InfiniteData<Page<Row>>>(
    { predicate: ({ queryKey: [url] }) => isListOf(path, url) },
    (held) => {
      if (!held) return held;
      const ids = new Set(held.pages.flatMap((page) => page.items.map(({ id }) => id)));
      return { ...held, pages: held.pages.map((page) => change(page, (id) => ids.has(id))) };
    },
  );
}

function isListOf(path: Path, url: unknown): boolean {
  return typeof url === "string" && url.startsWith(`${path}?`);
}

/** The number comes with any row. */
const ONE = { first: 1, next: 1 };

/** How many rows there are, whatever of them is asked for; undefined while that is not known. */
export function useRowTotal<Row extends { id: string }, Read extends Page<Row>>(
  { path, list, remove, sizes }: RowsCalls<Row, Read>,
  asked: Asked,
  rows: Pick<ReturnType<typeof useRows>, "total" | "isSearching">,
): number | undefined {
  const client = useQueryClient();
  const isSome = isNarrowed(asked);
  const { data } = useInfiniteQuery({
    ...rowsQuery<Row, Read>({ path, list, remove, sizes: ONE }),
    enabled: isSome,
    // What the whole list said last.
    placeholderData: () => {
      const whole = { path, list, remove, ...(sizes && { sizes }) };
      const order = asked.sort ? { sort: asked.sort } : {};
      return client.getQueryData<InfiniteData<Read, string | null>>(
        rowsQuery<Row, Read>(whole, order).queryKey,
      );
    },
    gcTime: 30_000,
  });
  return isSome || rows.isSearching ? data?.pages.at(-1)?.total : rows.total;
}
