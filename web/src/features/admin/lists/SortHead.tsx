// What stands in the head of a table's column: its name, or a key that sorts by it, the other way when it is pressed again.
import type { ListAddress } from "./useListAddress.ts";

/** The order that a column is sorted by, upwards and downwards. */
export interface SortBy {
  up: string;
  down: string;
}

/** How a column is sorted, as its head says it. */
export function ariaSort(
  { sort }: Pick<ListAddress, "sort">,
  by: SortBy | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (!by) return undefined;
  if (sort === by.up) return "ascending";
  return sort === by.down ? "descending" : "none";
}

interface SortHeadProps {
  name: string;
  by: SortBy | undefined;
  address: Pick<ListAddress, "sort" | "setSort">;
}

export function SortHead({ name, by, address }: SortHeadProps) {
  if (!by) return name;
  const isUp = address.sort === by.up;
  const isSorted = isUp || address.sort === by.down;
  return (
    <button
      type="button"
      className="inline-flex min-h-6 items-center gap-1.5 uppercase hover:text-ink"
      onClick={() => address.setSort(isUp ? by.down : by.up)}
    >
      {name}
      <svg
        aria-hidden="true"
        viewBox="0 0 8 8"
        className={`size-2 flex-none ${isSorted ? "text-ink" : "opacity-40"}`}
      >
        <path d={isUp ? "M0 7 4 1l4 6Z" : "M0 1h8L4 7Z"} fill="currentColor" />
      </svg>
    </button>
  );
}
