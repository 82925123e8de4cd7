// The end of a list that goes on: asks for more when the reader comes near.
import { type ReactNode, useEffect, useRef } from "react";

/** How far ahead of the reader the next part is asked for. */
const AHEAD = "1200px";

interface LoadMoreProps {
  isLoading: boolean;
  /** Asks for the next part; the same function on every render. */
  onNear: () => unknown;
  /** A link to the next part, for those whose browser runs no scripts. */
  next?: ReactNode;
}

export function LoadMore({ isLoading, onNear, next }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Watched anew after each part: an end that is still in sight must be reported again.
    if (isLoading || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onNear();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isLoading, onNear]);
  return (
    <div ref={end} className="type-label px-gutter py-6 text-dim" aria-live="polite">
      {isLoading && "LOADING TRANSMISSIONS..."}
      {next && <noscript>{next}</noscript>}
    </div>
  );
}
