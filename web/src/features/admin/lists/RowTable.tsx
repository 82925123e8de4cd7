import { memo, type ReactNode } from "react";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { ListStates, type ListStatesProps, useInView } from "./RowList.tsx";
import type { ListAddress } from "./useListAddress.ts";
import type { useRows } from "./useRows.ts";

export interface Column {
  name: string;
  className?: string;
  /** The ascending order; the descending one has a minus before it. */
  by?: string;
}

interface RowTableProps<Row extends { id: string }>
  extends Omit<ListStatesProps, "children" | "rows"> {
  rows: ReturnType<typeof useRows<Row>>;
  columns: readonly Column[];
  address: ListAddress;
  /** Draws the cells of one row; the same function on every render. */
  cells: (row: Row) => ReactNode;
}

export function RowTable<Row extends { id: string }>({
  rows,
  columns,
  address,
  cells,
  ...states
}: RowTableProps<Row>) {
  const { pages = [], total = 0 } = rows;
  let shown = 0;
  return (
    <ListStates rows={rows} {...states}>
      <table
        aria-label={states.label}
        aria-rowcount={total + 1}
        aria-busy={rows.isSearching}
        className={`w-full border-collapse text-[0.75rem] ${rows.isSearching ? "opacity-40" : ""}`}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, className = "", by }) => (
              <th
                key={name}
                scope="col"
                aria-sort={ariaSort(address, by)}
                className={`type-label border-hairline border-b px-2 py-3 align-bottom font-normal text-dim uppercase [overflow-wrap:normal] first:pl-gutter last:pr-gutter ${className}`}
              >
                <SortHead name={name} by={by} address={address} />
              </th>
            ))}
          </tr>
        </thead>
        {pages.map((page, index) => {
          const before = shown;
          shown += page.items.length;
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the list
          return <TableChunk key={index} rows={page.items} before={before} cells={cells} />;
        })}
      </table>
      <LoadMore pages={rows} />
    </ListStates>
  );
}

interface TableChunkProps<Row> {
  rows: readonly Row[];
  before: number;
  cells: (row: Row) => ReactNode;
}

/** One page, replaced by an empty space of the same height while far out of sight. */
const TableChunk = memo(Chunk) as typeof Chunk;

function Chunk<Row extends { id: string }>({ rows, before, cells }: TableChunkProps<Row>) {
  const { ref, placeholderHeight } = useInView<HTMLTableSectionElement>();
  return (
    <tbody ref={ref}>
      {placeholderHeight === undefined ? (
        rows.map((row, index) => (
          <tr
            key={row.id}
            // The head is row 1.
            aria-rowindex={before + index + 2}
            tabIndex={-1}
            data-focus-home
            className="border-hairline border-b -outline-offset-2 hover:bg-ink/4"
          >
            {cells(row)}
          </tr>
        ))
      ) : (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty space, which nothing can focus
        <tr aria-hidden="true">
          <td style={{ height: placeholderHeight }} />
        </tr>
      )}
    </tbody>
  );
}

export function ariaSort(
  { sort }: Pick<ListAddress, "sort">,
  by: string | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (!by) return undefined;
  if (sort === by) return "ascending";
  return sort === `-${by}` ? "descending" : "none";
}

interface SortHeadProps {
  name: string;
  by: string | undefined;
  address: Pick<ListAddress, "sort" | "setSort">;
}

const PLACE = "inline-flex min-h-6 items-center";

export function SortHead({ name, by, address }: SortHeadProps) {
  if (!by) return <span className={PLACE}>{name}</span>;
  const isUp = address.sort === by;
  const isSorted = isUp || address.sort === `-${by}`;
  return (
    <button
      type="button"
      className={`${PLACE} gap-1.5 uppercase hover:text-ink`}
      onClick={() => address.setSort(isUp ? `-${by}` : by)}
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
