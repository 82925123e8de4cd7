// What a list has to know of its rows: where they live, the calls that read and remove them, and how they can be sorted and narrowed.

import type { ReadPath, Schemas } from "../../../api/client.ts";
import {
  type Page as AnyPage,
  pagesOf,
  type Query,
  type ReadTaking,
} from "../../../api/queries.ts";
export type TrashKind = Schemas["TrashKind"];

/** One page of rows. */
export interface Page<Row> extends AnyPage<Row> {
  /** How many there are on all pages. */
  total: number;
}

/** What of a list is asked for; all of it, in its own order, where nothing is. */
export interface Asked {
  q?: string;
  sort?: string;
  state?: string;
}

/** What a page is asked for by. */
interface PageQuery extends Asked {
  limit: number;
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
  /** What they are in the trash; absent for rows that are gone when they are removed. */
  trash?: TrashKind;
}

/** A value that the server knows, and what people are told it is. */
export interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

/** The orders and states of the list under a path. */
export interface ListOptions<Sort extends string = string, State extends string = string> {
  /** The list's own order first. */
  orders: readonly Option<Sort>[];
  states: readonly Option<State>[];
}

/** What a path can be told under a name, as its description has it. */
type Told<P extends ReadPath, Name extends string> =
  Query<P> extends { [N in Name]?: infer Value } ? Extract<Value, string> : never;

/** Those of a path. */
export type OptionsOf<P extends ReadPath> = ListOptions<Told<P, "sort">, Told<P, "state">>;

export interface RowsCalls<Row, Read extends Page<Row> = Page<Row>> extends RemovableRows {
  list: (query: PageQuery, signal: AbortSignal) => Promise<Read>;
  /** Enough for a screen and the next, unless stated. */
  sizes?: PageSizes;
}

/** Rows that can be sorted, and narrowed to a state. */
export interface SortedRows<Row, Read extends Page<Row> = Page<Row>> extends RowsCalls<Row, Read> {
  options: ListOptions;
}

/** Reads and searches the rows under a path. */
export function rowsOf<P extends ReadTaking<"limit" | "q" | "cursor">>(path: P) {
  const read = pagesOf(path);
  // An order and a state are those that the list's own options name.
  return (query: PageQuery, signal: AbortSignal) => read(query as unknown as Query<P>, signal);
}
