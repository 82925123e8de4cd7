// How reads live in the query cache: named by their address, seeded from the served page,
// made anew when the tables they come from change.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, type CallInit, call, type ReadParams, type ReadPath, urlOf } from "./client.ts";
import type { paths } from "./types/api.ts";

/** Lists that can grow; they are kept as pages (`usePages`), under the address of the first. */
const PAGED = /^\/api\/(?:releases|artists)(?:\?|$)/;

/** One read, under its address. */
export function readQuery<P extends ReadPath>(path: P, params: ReadParams<P>) {
  return queryOptions({
    queryKey: [urlOf(path, params)],
    queryFn: ({ signal }) => read(path, params, signal),
  });
}

/** What a read can be asked for in its query. */
export type Query<P extends ReadPath> = paths[P] extends {
  get: { parameters: { query?: infer All } };
}
  ? NonNullable<All>
  : never;

/** Every read that can be asked for all of these. */
export type ReadTaking<Name extends string> = {
  [P in ReadPath]: [Name] extends [keyof Query<P>] ? P : never;
}[ReadPath];

/** One page of a list that can grow. */
export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}

/** Reads a list page by page. */
export function pagesOf<P extends ReadTaking<"limit" | "cursor">>(path: P) {
  return (query: Query<P>, signal: AbortSignal) =>
    read(path, { query } as unknown as ReadParams<P>, signal);
}

/** A list that can grow, under the address of its first page. `readAfter` is told after which page. */
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

/** Reads a path that is a type parameter; its parameters are checked where they are given. */
function read<P extends ReadPath>(path: P, params: ReadParams<P>, signal: AbortSignal) {
  return call("GET", path, ...([{ params, signal }] as unknown as CallInit<"GET", P>));
}

/** What a page is served with. */
export interface FirstView {
  /** What the label is called. */
  label_name: string;
  /** Id of the newest event the data already holds. */
  event_id: number;
  queries: ReadonlyArray<{ url: string; body: unknown; is_absent?: true }>;
}

/**
 * Puts the data the page was served with into the cache, so that the first paint asks for nothing.
 * Answers the event id from which live updates go on, or undefined where the page came without data.
 */
export function seedFromPage(client: QueryClient, page: Document): number | undefined {
  const text = page.getElementById("first-view")?.textContent;
  return text ? seed(client, text).event_id : undefined;
}

/** Puts a page's data, as it is written in the document, into the cache, and answers what was written. */
export function seed(client: QueryClient, text: string): FirstView {
  const view = JSON.parse(text) as FirstView;
  for (const { url, body, is_absent } of view.queries) {
    if (is_absent) seedAbsence(client, url);
    else client.setQueryData([url], PAGED.test(url) ? { pages: [body], pageParams: [null] } : body);
  }
  return view;
}

/** Puts into the cache that nothing is at an address. */
function seedAbsence(client: QueryClient, url: string): void {
  const error = new ApiError(404, { code: "not_found" });
  const query = client
    .getQueryCache()
    .build(client, client.defaultQueryOptions({ queryKey: [url] }));
  query.setState({ ...query.state, status: "error", error, errorUpdatedAt: Date.now() });
}
