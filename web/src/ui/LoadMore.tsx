// The end of a paged list: loads more when the reader comes near.
import { useHydrated } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./Button.tsx";

const canWatch = () => typeof IntersectionObserver !== "undefined";

const AHEAD = "1200px";

interface LoadMoreProps {
  pages: {
    hasMore: boolean;
    isLoadingMore: boolean;
    /**
     * True if the next part was refused. It is then loaded only on demand: the end stays near, and so would the refusals.
     */
    isMoreRefused: boolean;
    /** The same function on every render. */
    loadMore: () => unknown;
  };
  next?: ReactNode;
}

export function LoadMore({ pages, next }: LoadMoreProps) {
  const { hasMore, isLoadingMore: isLoading, isMoreRefused: isRefused, loadMore } = pages;
  const end = useRef<HTMLDivElement>(null);
  const isWatched = hasMore && !isLoading && !isRefused;
  const isHydrated = useHydrated();
  useEffect(() => {
    // Observed again after each part: an end still in sight must be reported again.
    if (!isWatched || !end.current || !canWatch()) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) loadMore();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWatched, loadMore]);
  if (!hasMore) return null;
  return (
    <div ref={end} className="type-label px-gutter py-6 text-dim" aria-live="polite">
      {isLoading && "LOADING TRANSMISSIONS..."}
      {isRefused && !isLoading && (
        <span className="flex flex-wrap items-center gap-6">
          <span className="text-signal">THE REST COULD NOT BE LOADED</span>
          <Button onClick={() => loadMore()}>TRY AGAIN</Button>
        </span>
      )}
      {isWatched && isHydrated && !canWatch() && (
        <Button onClick={() => loadMore()}>LOAD MORE</Button>
      )}
      {next && <noscript>{next}</noscript>}
    </div>
  );
}
