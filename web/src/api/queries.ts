// Reads in the query cache: named by their address, seeded from the served page, and made again when their tables
// change.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import {
  ApiError,
  apiError,
  type CallInit,
  call,
  type ReadParams,
  type ReadPath,
  urlOf,
} from "./client.ts";
import type { paths } from "./types/api.ts";

/** Paged lists; they are cached as pages (`usePages`), under the address of the first. */
const PAGED = /^\/api\/(?:releases|artists)(?:\?|$)/;

export function readQuery<P extends ReadPath>(path: P, params: ReadParams<P>) {
  return queryOptions({
    queryKey: [urlOf(path, params)],
    queryFn: ({ signal }) => read(path, params, signal),
  });
}

/** The query parameters of a read. */
export type Query<P extends ReadPath> = paths[P] extends {
  get: { parameters: { query?: infer All } };
}
  ? NonNullable<All>
  : never;

/** Every read with all of these query parameters. */
export type ReadTaking<Name extends string> = {
  [P in ReadPath]: [Name] extends [keyof Query<P>] ? P : never;
}[ReadPath];

export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}

export function pagesOf<P extends ReadTaking<"limit" | "cursor">>(path: P) {
  return (query: Query<P>, signal: AbortSignal) =>
    read(path, { query } as unknown as ReadParams<P>, signal);
}

/** The pause before a read is made again; none after a refusal, as of a session that has ended, until it succeeds again. */
export function unlessRefused({ error }: { error: Error | null }, pauseMs: number): number | false {
  return error && !apiError(error).isTransient ? false : pauseMs;
}

/** A paged list, under the address of its first page. `readAfter` reads the page at a cursor. */
export function pagesQuery<Row, Read extends Page<Row> = Page<Row>>(
  url: string,
  readAfter: (after: { cursor?: string }, signal: AbortSignal) => Promise<Read>,
) {
  return infiniteQueryOptions({
    queryKey: [url],
    queryFn: ({ pageParam, signal }) =>
      readAfter(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** Reads a path that is a type parameter; callers check its parameters. */
function read<P extends ReadPath>(path: P, params: ReadParams<P>, signal: AbortSignal) {
  return call("GET", path, ...([{ ...params, signal }] as unknown as CallInit<"GET", P>));
}

/** The data in a served page. */
export interface FirstView {
  label_name: string;
  /** Id of the newest event included in the data. */
  event_id: number;
  queries: ReadonlyArray<{ url: string; body: unknown; is_absent?: true }>;
}

/**
 * Puts the served page's data into the cache, so that the first paint needs no request. Returns the event id to resume
 * live updates from; undefined if the page came without data.
 */
export function seedFromPage(client: QueryClient, page: Document): number | undefined {
  const text = page.getElementById("first-view")?.textContent;
  return text ? seed(client, text).event_id : undefined;
}

/** Puts a document's data into the cache, and returns it. */
export function seed(client: QueryClient, text: string): FirstView {
  const view = JSON.parse(text) as FirstView;
  for (const { url, body, is_absent } of view.queries) {
    if (is_absent) seedAbsence(client, url);
    else client.setQueryData([url], PAGED.test(url) ? { pages: [body], pageParams: [null] } : body);
  }
  return view;
}

/** Caches that nothing exists at an address. */
function seedAbsence(client: QueryClient, url: string): void {
  const error = new ApiError(404, { code: "not_found" });
  const query = client
    .getQueryCache()
    .build(client, client.defaultQueryOptions({ queryKey: [url] }));
  query.setState({ ...query.state, status: "error", error, errorUpdatedAt: Date.now() });
}
