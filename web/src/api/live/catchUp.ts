// How an expensive read catches up with changed rows without being read again.
import type { Query, QueryClient } from "@tanstack/react-query";

/** Updates the cached read with the rows of these keys. Resolves to false if the whole read has to be made again. */
export type CatchUp = (
  client: QueryClient,
  read: Query,
  keys: ReadonlySet<string>,
) => Promise<boolean>;

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { catchUp?: CatchUp };
  }
}
