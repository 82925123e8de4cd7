// A list in all its states: on its way, failed, empty, or as many rows as there are.
import { type ReactNode, useEffect } from "react";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import type { ToastCode } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import { Failed } from "./Failed.tsx";
import { MoreButton } from "./MoreButton.tsx";
import { type Layout, RowChunk } from "./RowChunk.tsx";
import type { useRows } from "./useRows.ts";

/** A row below the other, parted by hairlines. */
const LINES: Layout = { chunk: "", row: "border-hairline border-b" };

interface RowListProps<Row extends { id: string }>
  extends Omit<ListStatesProps, "children" | "rows"> {
  rows: ReturnType<typeof useRows<Row>>;
  /** Draws one row; the same function on every render. */
  draw: (row: Row) => ReactNode;
  layout?: Layout;
  /** True where more rows come by a key, and not by themselves: for lists with something below them. */
  hasMoreButton?: boolean;
}

export function RowList<Row extends { id: string }>({
  rows,
  draw,
  layout = LINES,
  hasMoreButton = false,
  ...states
}: RowListProps<Row>) {
  const { pages = [], total = 0, hasMore, isLoadingMore, isMoreRefused, loadMore } = rows;
  let shown = 0;
  return (
    <ListStates rows={rows} {...states}>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold */}
      <div
        role="list"
        aria-label={states.label}
        // Rows that answer an older search stand back until the newer answer is here.
        aria-busy={rows.isSearching}
        className={rows.isSearching ? "opacity-40" : undefined}
      >
        {pages.map((page, index) => {
          const before = shown;
          shown += page.items.length;
          return (
            <RowChunk
              // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the list
              key={index}
              rows={page.items}
              before={before}
              total={total}
              draw={draw}
              layout={layout}
            />
          );
        })}
      </div>
      {hasMoreButton ? (
        <MoreButton rows={rows} label={states.label} />
      ) : (
        hasMore && (
          <LoadMore isLoading={isLoadingMore} isRefused={isMoreRefused} onNear={loadMore} />
        )
      )}
    </ListStates>
  );
}

export interface ListStatesProps {
  label: string;
  rows: {
    /** Undefined until there is an answer. */
    pages: unknown;
    total: number | undefined;
    /** True while the rows answer an older search: that there was none says nothing of the newer one. */
    isSearching?: boolean;
    isFailing: boolean;
    tryAgain: () => void;
  };
  /** The stated text's name for a list that cannot be read. */
  loadFailed: ToastCode;
  /** Said of a list without rows. */
  empty: string;
  /** The list itself, where there is one to show. */
  children: ReactNode;
}

/** What stands in the place of a list that is on its way, failed or empty. */
export function ListStates({ label, rows, loadFailed, empty, children }: ListStatesProps) {
  const { pages, total, isSearching = false, isFailing, tryAgain } = rows;
  useEffect(() => {
    if (isFailing) toastError(loadFailed);
  }, [isFailing, loadFailed]);
  const isLoading = !pages || (isSearching && !total);
  return (
    <>
      <Notice>{!isFailing && !isLoading && !total && empty}</Notice>
      {isFailing ? (
        <Failed code={loadFailed} onRetry={tryAgain} />
      ) : isLoading ? (
        <Loading label={label} />
      ) : (
        total !== 0 && children
      )}
    </>
  );
}

/** What is on its way, said to those who cannot see the lines. */
export function Loading({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="px-gutter py-5">
      <span role="status" className="sr-only">
        Loading {label}...
      </span>
      <SkeletonLines lines={6} />
    </div>
  );
}
