// How many rows there are in all, for the head of a list that shows some of them.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { Asked, Page, RowsCalls } from "./rowsCalls.ts";
import { isNarrowed, rowsQuery, type useRows } from "./useRows.ts";

/** The number comes with any row. */
const ONE = { first: 1, next: 1 };

/** How many rows there are, whatever of them is asked for; undefined while that is not known. */
export function useRowTotal<Row extends { id: string }, Read extends Page<Row>>(
  { path, list, remove, sizes }: RowsCalls<Row, Read>,
  asked: Asked,
  rows: Pick<ReturnType<typeof useRows>, "total" | "isSearching">,
): number | undefined {
  const client = useQueryClient();
  const isSome = isNarrowed(asked);
  const { data } = useInfiniteQuery({
    ...rowsQuery<Row, Read>({ path, list, remove, sizes: ONE }),
    enabled: isSome,
    // What the whole list said last.
    placeholderData: () => {
      const whole = { path, list, remove, ...(sizes && { sizes }) };
      const order = asked.sort ? { sort: asked.sort } : {};
      return client.getQueryData<InfiniteData<Read, string | null>>(
        rowsQuery<Row, Read>(whole, order).queryKey,
      );
    },
    gcTime: 30_000,
  });
  return isSome || rows.isSearching ? data?.pages.at(-1)?.total : rows.total;
}
