// How a read that is dear catches up with changed rows for less than being asked again.
import type { Query, QueryClient } from "@tanstack/react-query";

/** Brings what is held of a read up to date with the rows of these keys. Answers false where all of it is to be asked for again. */
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
