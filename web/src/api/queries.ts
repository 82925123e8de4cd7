// How reads live in the query cache: named by their address, seeded from the served page,
// made anew when the tables they come from change.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type ReadParams, type ReadPath, read, urlOf } from "./client.ts";

/** Lists that can grow; they are kept as pages (`usePages`), under the address of the first. */
const PAGED = /^\/api\/(?:releases|artists)(?:\?|$)/;

/** One read, under its address. */
export function readQuery<P extends ReadPath>(path: P, params: ReadParams<P>) {
  return queryOptions({
    queryKey: [urlOf(path, params)],
    queryFn: ({ signal }) => read(path, params, signal),
  });
}

interface FirstView {
  /** Id of the newest event the data already holds. */
  event_id: number;
  queries: ReadonlyArray<{ url: string; body: unknown }>;
}

/**
 * Puts the data the page was served with into the cache, so that the first paint asks for nothing.
 * Answers the event id from which live updates go on, or undefined where the page came without data.
 */
export function seedFromPage(client: QueryClient, page: Document): number | undefined {
  const text = page.getElementById("first-view")?.textContent;
  if (!text) return undefined;
  const view = JSON.parse(text) as FirstView;
  for (const { url, body } of view.queries) {
    client.setQueryData([url], PAGED.test(url) ? { pages: [body], pageParams: [null] } : body);
  }
  return view.event_id;
}
