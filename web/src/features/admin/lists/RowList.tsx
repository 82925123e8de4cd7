// A list in all its states: on its way, failed, empty, or as many rows as there are.
import { type ReactNode, useEffect } from "react";
import { textOf } from "../../../rules/words.ts";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { sayFailed } from "../say.ts";
import { RowChunk } from "./RowChunk.tsx";
import type { useRows } from "./useRows.ts";

interface RowListProps<Row> {
  label: string;
  rows: Omit<ReturnType<typeof useRows<Row>>, "isSearching">;
  /** The stated text's name for a list that cannot be read. */
  loadFailed: string;
  /** Said of a list without rows. */
  empty: string;
  /** Draws one row; the same function on every render. */
  draw: (row: Row) => ReactNode;
}

export function RowList<Row extends { id: string }>({
  label,
  rows,
  loadFailed,
  empty,
  draw,
}: RowListProps<Row>) {
  const { pages, total, isFailing, hasMore, isLoadingMore, loadMore, tryAgain } = rows;
  useEffect(() => {
    if (isFailing) sayFailed(loadFailed);
  }, [isFailing, loadFailed]);
  if (isFailing) return <Failed code={loadFailed} onRetry={tryAgain} />;
  if (!pages) {
    return (
      <div aria-busy="true" className="px-gutter py-5">
        <span role="status" className="sr-only">
          Loading {label}...
        </span>
        <SkeletonLines lines={6} />
      </div>
    );
  }
  if (!total) return <Notice>{empty}</Notice>;
  let shown = 0;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold */}
      <div role="list" aria-label={label}>
        {pages.map((page, index) => {
          const before = shown;
          shown += page.items.length;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the list
            <RowChunk key={index} rows={page.items} before={before} total={total} draw={draw} />
          );
        })}
      </div>
      {hasMore && <LoadMore isLoading={isLoadingMore} onNear={loadMore} />}
    </>
  );
}

/** A list that could not be read, with a way to try. */
export function Failed({ code, onRetry }: { code: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-6 px-gutter py-16">
      <p className="type-lead text-signal">{textOf(code)}</p>
      <button type="button" className="key type-label uppercase" onClick={onRetry}>
        Try Again
      </button>
    </div>
  );
}
