import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { readState } from "../../../api/readState.ts";
import { Button } from "../../../ui/Button.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { messageText, type TextCode, type ToastCode } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { toastError } from "../../../ui/toasts/toast.ts";
import type { useRows } from "./useRows.ts";

const LINES: Layout = { chunk: "", row: "border-hairline border-b" };

interface RowListProps<Row extends { id: string }>
  extends Omit<ListStatesProps, "children" | "rows"> {
  rows: ReturnType<typeof useRows<Row>>;
  /** The same function on every render. */
  draw: (row: Row) => ReactNode;
  layout?: Layout;
  /** More rows are loaded by a button, not by scrolling: for lists with something below them. */
  hasMoreButton?: boolean;
}

export function RowList<Row extends { id: string }>({
  rows,
  draw,
  layout = LINES,
  hasMoreButton = false,
  ...states
}: RowListProps<Row>) {
  const { pages = [], total = 0 } = rows;
  let shown = 0;
  return (
    <ListStates rows={rows} {...states}>
      {/* biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold */}
      <div
        role="list"
        aria-label={states.label}
        // Rows of an older search are dimmed until the answer arrives.
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
      {hasMoreButton ? <MoreButton rows={rows} label={states.label} /> : <LoadMore pages={rows} />}
    </ListStates>
  );
}

export interface ListStatesProps {
  label: string;
  rows: {
    pages: unknown;
    total: number | undefined;
    /** True while the rows answer an older search. */
    isSearching?: boolean;
    isFailing: boolean;
    tryAgain: () => void;
  };
  loadFailed: ToastCode;
  empty: string;
  children: ReactNode;
}

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

interface ReadingProps {
  query: { data: unknown; failureCount: number; isError: boolean };
  of: { queryKey: QueryKey };
  /** Named while it is loading. */
  label: string;
  loadFailed?: TextCode;
}

/** Replaces something that is being read, or could not be. */
export function Reading({ query, of, label, loadFailed = "load_failed" }: ReadingProps) {
  const client = useQueryClient();
  if (readState(query) === "loading") return <Loading label={label} />;
  const { queryKey } = of;
  return <Failed code={loadFailed} onRetry={() => void client.resetQueries({ queryKey })} />;
}

function Loading({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="px-gutter py-5">
      <span role="status" className="sr-only">
        Loading {label}...
      </span>
      <SkeletonLines lines={6} />
    </div>
  );
}

export function Failed({ code, onRetry }: { code: TextCode; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-6 px-gutter py-16">
      <p className="type-lead text-signal">{messageText(code)}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}

interface MoreButtonProps {
  label: string;
  rows: ReturnType<typeof useRows>;
}

export function MoreButton({ label, rows }: MoreButtonProps) {
  const { pages = [], total, hasMore, isLoadingMore, isMoreRefused, loadMore } = rows;
  const shown = pages.reduce((sum, page) => sum + page.items.length, 0);
  // Fits on one page.
  if (!hasMore && pages.length < 2) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-hairline border-t px-gutter py-5">
      <p role="status" tabIndex={-1} data-focus-home className="tabular-nums">
        {isMoreRefused && !isLoadingMore && (
          <span className="text-signal">The rest could not be loaded. </span>
        )}
        {hasMore ? `There are more: ${shown} of ${total} shown` : `All ${total} shown`}
      </p>
      {hasMore && (
        <Button
          variant="outline"
          isBusy={isLoadingMore}
          onClick={() => !isLoadingMore && loadMore()}
        >
          {isLoadingMore ? "Loading..." : "Load more"}
          <span className="sr-only"> of {label}</span>
        </Button>
      )}
    </div>
  );
}

interface RowChunkProps<Row> {
  rows: readonly Row[];
  /** The number of rows before this chunk, and in all. */
  before: number;
  total: number;
  /** The same function on every render. */
  draw: (row: Row) => ReactNode;
  layout?: Layout;
}

/** Classes; the same object on every render. */
interface Layout {
  chunk: string;
  row: string;
}

/** Memoised, because the list gets new pages many times. */
export const RowChunk = memo(Chunk) as typeof Chunk;

function Chunk<Row extends { id: string }>({
  rows,
  before,
  total,
  draw,
  layout = LINES,
}: RowChunkProps<Row>) {
  const { ref: chunk, placeholderHeight } = useInView<HTMLDivElement>();
  if (placeholderHeight !== undefined)
    return <div ref={chunk} style={{ height: placeholderHeight }} />;
  return (
    <div ref={chunk} className={layout.chunk}>
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useSemanticElements: the rows stand in chunks, which a list element may not hold
        <div
          key={row.id}
          role="listitem"
          aria-posinset={before + index + 1}
          aria-setsize={total}
          className={layout.row}
        >
          {draw(row)}
        </div>
      ))}
    </div>
  );
}

/** A few screens, so that fast scrolling finds rows. */
const NEAR = "2000px";

export function useInView<Part extends HTMLElement>() {
  const ref = useRef<Part>(null);
  /** Undefined while the rows are rendered. */
  const [placeholderHeight, setPlaceholderHeight] = useState<number>();
  useEffect(() => {
    const part = ref.current;
    if (!part || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setPlaceholderHeight(undefined);
        const { height } = entry.boundingClientRect;
        // A part without height is hidden, not far away. A part with the focus stays.
        if (!entry.isIntersecting && height > 0 && !part.contains(document.activeElement)) {
          setPlaceholderHeight(height);
        }
      },
      { rootMargin: `${NEAR} 0px` },
    );
    observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return { ref, placeholderHeight };
}
