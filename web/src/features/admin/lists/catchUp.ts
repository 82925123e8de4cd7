// How a long list catches up with a few changed rows: these alone are read, and its first page, and each is put where it belongs now.
// What stands on the other pages stays the same objects, so that nothing else is drawn again.
import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import type { CatchUp } from "../../../api/live/catchUp.ts";
import type { Asked, Page, RowPlaces } from "./rowsCalls.ts";

interface Row {
  id: string;
}

type Held<R> = InfiniteData<Page<R>, string | null>;

/** At most as many calls as asking for the whole list again. */
export function catchUpRows<R extends Row>(
  places: RowPlaces<R>,
  asked: Asked,
  readFirst: () => Promise<Page<R>>,
): CatchUp {
  return async (client, query, keys) => {
    const { pages = [] } = (query.state.data as Held<R> | undefined) ?? {};
    if (asked.sort || keys.size + 1 >= pages.length) return false;
    try {
      const ids = [...keys];
      const [first, ...rows] = await Promise.all([readFirst(), ...ids.map(places.read)]);
      await untilRead(client, query);
      client.setQueryData<Held<R>>(query.queryKey, (held) => {
        if (!held) return held;
        const changed = new Map(ids.map((id, at) => [id, rows[at]]));
        return putInto(held, places, asked, first, changed);
      });
      return true;
    } catch {
      // Read meanwhile, or not to be read: asked for again as a whole, which is tried until it succeeds and says when it does not.
      return false;
    }
  };
}

/** A page that is on its way would be put behind those that were there when it was asked for. */
async function untilRead(client: QueryClient, query: Query): Promise<void> {
  if (query.state.fetchStatus !== "fetching") return;
  await client.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
  if (query.state.fetchStatus === "fetching") throw new Error("read meanwhile");
}

/** The list with the changed rows where they belong, and with what its first page says by now. */
export function putInto<R extends Row>(
  held: Held<R>,
  places: RowPlaces<R>,
  asked: Asked,
  first: Page<R>,
  changed: ReadonlyMap<string, R | undefined>,
): Held<R> {
  const fresh = new Map(first.items.map((row) => [row.id, row]));
  /** On which page each row stood. */
  const before = new Map<string, number>();
  const pages = held.pages.map((page, at) => {
    for (const { id } of page.items) before.set(id, at);
    const isTouched = page.items.some(({ id }) => changed.has(id) || fresh.has(id));
    if (!isTouched) return { ...page, total: first.total };
    const items = page.items
      .filter(({ id }) => !changed.has(id))
      .map((row) => fresh.get(row.id) ?? row);
    return { ...page, items, total: first.total };
  });
  const isThere = (row: R) => places.isListed(row, asked) ?? before.has(row.id);
  const put = [...changed.values()].filter(
    (row) => row !== undefined && !fresh.has(row.id) && isThere(row),
  ) as R[];
  const news = first.items.filter(({ id }) => changed.has(id) || !before.has(id));
  for (const row of [...put, ...news]) insert(pages, row, places, before.get(row.id));
  return { ...held, pages };
}

function insert<R extends Row>(
  pages: Page<R>[],
  row: R,
  { isBefore }: RowPlaces<R>,
  home: number | undefined,
): void {
  const comesAfter = (other: R | undefined) => other !== undefined && isBefore(row, other);
  const at = pages.findIndex(({ items }) => comesAfter(items.at(-1)));
  const place = pages[at]?.items.findIndex(comesAfter) ?? -1;
  // Between two pages it stays on the one that it was on: whoever works in it keeps the focus.
  if (at !== -1 && !(place === 0 && home === at - 1)) {
    change(pages, at, (items) => items.toSpliced(place, 0, row));
  } else if (at !== -1) change(pages, at - 1, (items) => [...items, row]);
  // Behind all that is held: its own page brings it, unless there is none any more.
  else if (pages.at(-1)?.next_cursor === null) {
    change(pages, pages.length - 1, (items) => [...items, row]);
  }
}

function change<R>(pages: Page<R>[], at: number, items: (now: R[]) => R[]): void {
  const page = pages[at];
  if (page) pages[at] = { ...page, items: items(page.items) };
}
