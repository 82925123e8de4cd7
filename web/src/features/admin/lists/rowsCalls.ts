// What a list has to know of its rows: where they live, and the calls that read and remove them.
import { type Page as AnyPage, pagesOf, type ReadTaking } from "../../../api/queries.ts";

/** One page of rows. */
export interface Page<Row> extends AnyPage<Row> {
  /** How many there are on all pages. */
  total: number;
}

/** What a page is asked for by. */
interface PageQuery {
  limit: number;
  q?: string;
  cursor?: string;
}

/** How many rows are read at once: for the first view, and for each that is asked for after it. */
interface PageSizes {
  first: number;
  next: number;
}

/** Rows that can be removed. */
export interface RemovableRows {
  /** Under which their lists are cached. */
  path: `/api/admin/${string}`;
  remove: (id: string) => Promise<unknown>;
}

export interface RowsCalls<Row, Read extends Page<Row> = Page<Row>> extends RemovableRows {
  list: (query: PageQuery, signal: AbortSignal) => Promise<Read>;
  /** Enough for a screen and the next, unless stated. */
  sizes?: PageSizes;
}

/** Reads and searches the rows under a path. */
export function rowsOf<P extends ReadTaking<keyof PageQuery>>(path: P) {
  return pagesOf(path);
}
