import type { ReadPath, Schemas } from "../../../api/client.ts";
import {
  type Page as AnyPage,
  pagesOf,
  type Query,
  type ReadTaking,
} from "../../../api/queries.ts";
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

/** Rows per page: for the first view, and for later pages. */
interface PageSizes {
  first: number;
  next: number;
}

export interface RemovableRows {
  /** The prefix of their lists in the query cache. */
  path: `/api/admin/${string}`;
  remove: (id: string) => Promise<unknown>;
  /** Their kind in the trash; left out for rows that are deleted for good. */
  trash?: TrashKind;
}

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

export interface ListOptions<Sort extends string = string, State extends string = string> {
  /** The default order first. */
  orders: readonly Option<Sort>[];
  states: readonly Option<State>[];
}

/** The values of a query parameter, from the API description. */
type Param<P extends ReadPath, Name extends string> =
  Query<P> extends { [N in Name]?: infer Value } ? Extract<Value, string> : never;

export type OptionsOf<P extends ReadPath> = ListOptions<Param<P, "sort">, Param<P, "state">>;

export interface RowsCalls<Row, Read extends Page<Row> = Page<Row>> extends RemovableRows {
  list: (query: PageQuery, signal: AbortSignal) => Promise<Read>;
  /** 50 each by default. */
  sizes?: PageSizes;
}

export interface SortedRows<Row, Read extends Page<Row> = Page<Row>> extends RowsCalls<Row, Read> {
  options: ListOptions;
}

export function rowsOf<P extends ReadTaking<"limit" | "q" | "cursor">>(path: P) {
  const read = pagesOf(path);
  // The order and state come from the list's own options.
  return (query: PageQuery, signal: AbortSignal) => read(query as unknown as Query<P>, signal);
}
