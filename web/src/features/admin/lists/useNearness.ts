// Whether the reader is near a part of a long list, and how high it was when they left.
import { type RefObject, useEffect, useRef, useState } from "react";

/** How near counts: a few screens, so that fast scrolling finds rows. */
const NEAR = "2000px";

interface Nearness<Part extends HTMLElement> {
  /** Goes on the part, empty or not. */
  place: RefObject<Part | null>;
  /** Of the empty space to leave while nobody is near; undefined while the rows are to be drawn. */
  emptyHeight: number | undefined;
}

export function useNearness<Part extends HTMLElement>(): Nearness<Part> {
  const place = useRef<Part>(null);
  const [emptyHeight, setEmptyHeight] = useState<number>();
  useEffect(() => {
    const part = place.current;
    if (!part) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setEmptyHeight(undefined);
        const { height } = entry.boundingClientRect;
        // Without a height it is not shown at all, as under a fallback: that is not far. And whoever works in a row
        // keeps it, wherever they scroll.
        if (!entry.isIntersecting && height > 0 && !part.contains(document.activeElement)) {
          setEmptyHeight(height);
        }
      },
      { rootMargin: `${NEAR} 0px` },
    );
    observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return { place, emptyHeight };
}
