import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/client.ts";
import { type Query, readQuery, unlessRefused } from "../../../api/queries.ts";

const PATH = "/api/admin/numbers";

export type Numbers = Answer<"GET", typeof PATH>;

/** The numbers of the label's visits, or of one release. */
export function numbersQuery(query: Query<typeof PATH>) {
  return queryOptions({
    ...readQuery(PATH, { query }),
    // Zero: counts cause no live event.
    staleTime: 0,
    refetchInterval: ({ state }) => unlessRefused(state, 60_000),
  });
}
