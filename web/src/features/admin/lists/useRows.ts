import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import type { ReadPath, Schemas } from "../../../api/client.ts";
import type { CatchUp } from "../../../api/live/tables.ts";
import {
  type Page as AnyPage,
  pagesOf,
  pagesQuery,
  type Query,
  type ReadTaking,
} from "../../../api/queries.ts";
import { readState } from "../../../api/readState.ts";
import { loadNextPage } from "../../../api/usePages.ts";

export type TrashKind = Schemas["TrashKind"];

export interface Page<Row> extends AnyPage<Row> {
  /** On all pages. */
  total: number;
}

/** The part of a list to read; by default all of it, in its own order. */
export interface Asked {
  q?: string;
  sort?: string;
  state?: string;
}

interface PageQuery extends Asked {
  limit: number;
  cursor?: string;
}

export interface RemovableRows {
  /** The prefix of their lists in the query cache. */
  path: `/api/admin/${string}`;
  remove: (id: string) => Promise<unknown>;
  /** Their kind in the trash; left out for rows that are deleted for good. */
  trash?: TrashKind;
  /** Called before rows are deleted; the answer says where those that are gone were shown, for the toast. */
  shownBy?: (client: QueryClient, ids: readonly string[]) => (gone: readonly string[]) => string;
}

export type Option<Value extends string = string> = readonly [value: Value, label: string];

export interface ListOptions<Sort extends string = string, State extends string = string> {
  /** The default order first. */
  orders: readonly Option<Sort>[];
  states: readonly Option<State>[];
}

/** The orders by date and by a field of words; the newest first. */
export function ordersBy<Field extends string>(field: Field, name: string) {
  return [
    ["-created", "Newest first"],
    ["created", "Oldest first"],
    [field, `${name} A to Z`],
    [`-${field}`, `${name} Z to A`],
  ] as const;
}

/** The values of a query parameter, from the API description. */
type Param<P extends ReadPath, Name extends string> =
  Query<P> extends { [N in Name]?: infer Value } ? Extract<Value, string> : never;

export type OptionsOf<P extends ReadPath> = ListOptions<Param<P, "sort">, Param<P, "state">>;

export interface RowsCalls<Row, Read extends Page<Row> = Page<Row>> {
  path: RemovableRows["path"];
  list: (query: PageQuery, signal: AbortSignal) => Promise<Read>;
  /** Rows per page: for the first view, and for later pages; 50 each by default. */
  sizes?: { first: number; next: number };
  catchUp?: CatchUp;
}

export interface SortedRows<Row, Read extends Page<Row> = Page<Row>>
  extends RowsCalls<Row, Read>,
    RemovableRows {
  options: ListOptions;
}

export function rowsOf<P extends ReadTaking<"limit" | "q" | "cursor">>(path: P) {
  const read = pagesOf(path);
  // The order and state come from the list's own options.
  return (query: PageQuery, signal: AbortSignal) => read(query as unknown as Query<P>, signal);
}

const SIZES = { first: 50, next: 50 };

type Path = RowsCalls<unknown>["path"];

export function rowsQuery<Row extends { id: string }, Read extends Page<Row>>(
  { path, list, sizes = SIZES, catchUp }: RowsCalls<Row, Read>,
  asked: Asked = {},
) {
  const params = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const address = new URLSearchParams({ limit: String(sizes.first), ...params });
  const query = pagesQuery<Row, Read>(`${path}?${address}`, (after, signal) =>
    list({ limit: after.cursor ? sizes.next : sizes.first, ...params, ...after }, signal),
  );
  return { ...query, ...(catchUp && { meta: { catchUp } }) };
}

function isNarrowed({ q, state }: Asked): boolean {
  return Boolean(q || state);
}

/** The text of an empty list; `none` if all rows were requested. */
export function emptyText(asked: Asked, none: string): string {
  if (asked.q) return `Nothing found for “${asked.q}”`;
  return isNarrowed(asked) ? "Nothing found" : none;
}

export function useRows<Row extends { id: string }, Read extends Page<Row> = Page<Row>>(
  calls: RowsCalls<Row, Read>,
  asked: Asked = {},
) {
  const client = useQueryClient();
  const query = rowsQuery(calls, asked);
  const rows = useInfiniteQuery({
    ...query,
    // Earlier results stay until the next ones arrive.
    placeholderData: keepPreviousData,
    // Loaded pages already stay the same objects; comparing thousands of rows only costs time.
    structuralSharing: false,
    // Short: thousands of rows are not worth keeping.
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
    /** The number of results of a search or filter, once known. */
    found: isNarrowed(asked) ? answer?.pages.at(-1)?.total : undefined,
    isSearching: isPlaceholderData,
    /** Nothing could be read yet; it is being tried again. */
    isFailing: readState({ data: answer, failureCount, isError }) === "failing",
    hasMore: rows.hasNextPage && !isPlaceholderData,
    isLoadingMore: rows.isFetchingNextPage,
    /** The next page failed, and is not tried again automatically. */
    isMoreRefused: rows.isFetchNextPageError,
    loadMore,
    tryAgain: () => void client.resetQueries({ queryKey: query.queryKey }),
  };
}

/** Shows a row, as the server answered it, in every list. */
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

export function heldRows<Row extends { id: string }>(
  client: QueryClient,
  path: Path,
  ids: readonly string[],
): Row[] {
  const sought = new Set(ids);
  const lists = client.getQueriesData<InfiniteData<Page<Row>>>({
    predicate: ({ queryKey: [url] }) => isListOf(path, url),
  });
  const items = lists.flatMap(([, held]) => held?.pages ?? []).flatMap((page) => page.items);
  return items.filter(({ id }) => sought.has(id));
}

export function dropRows(client: QueryClient, path: Path, ids: readonly string[]): void {
  const gone = new Set(ids);
  changePages<{ id: string }>(client, path, (page, isHeld) => ({
    ...page,
    items: page.items.filter((item) => !gone.has(item.id)),
    total: page.total - ids.filter(isHeld).length,
  }));
}

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

/** Any page tells the total. */
const ONE = { first: 1, next: 1 };

/** The number of all rows, whatever is searched for; undefined until it is known. */
export function useRowTotal<Row extends { id: string }, Read extends Page<Row>>(
  calls: RowsCalls<Row, Read>,
  asked: Asked,
  rows: Pick<ReturnType<typeof useRows>, "total" | "isSearching">,
): number | undefined {
  const client = useQueryClient();
  const isSome = isNarrowed(asked);
  const { data } = useInfiniteQuery({
    ...rowsQuery<Row, Read>({ ...calls, sizes: ONE }),
    enabled: isSome,
    // The last known total of the whole list.
    placeholderData: () =>
      client.getQueryData<InfiniteData<Read, string | null>>(
        rowsQuery<Row, Read>(calls, asked.sort ? { sort: asked.sort } : {}).queryKey,
      ),
    gcTime: 30_000,
  });
  return isSome || rows.isSearching ? data?.pages.at(-1)?.total : rows.total;
}
