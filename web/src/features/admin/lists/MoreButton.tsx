// The end of a list that goes on when it is told to: how much of it is there, and a key for the next part.
import { Button } from "../../../ui/Button.tsx";

interface MoreButtonProps {
  /** What the list is called. */
  label: string;
  rows: {
    pages: readonly { items: readonly unknown[] }[] | undefined;
    total: number | undefined;
    hasMore: boolean;
    isLoadingMore: boolean;
    isMoreRefused: boolean;
    loadMore: () => unknown;
  };
}

export function MoreButton({ label, rows }: MoreButtonProps) {
  const { pages = [], total, hasMore, isLoadingMore, isMoreRefused, loadMore } = rows;
  const shown = pages.reduce((sum, page) => sum + page.items.length, 0);
  // A list that fits on one page needs no end.
  if (!hasMore && pages.length < 2) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-hairline border-t px-gutter py-5">
      <p role="status" className="tabular-nums">
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
