// Whether the reader is near a part of a long list, and how high it was when they left.
import { type RefObject, useEffect, useRef, useState } from "react";

/** How near counts: a few screens, so that fast scrolling finds rows. */
const NEAR = "2000px";

interface InView<Part extends HTMLElement> {
  /** Goes on the part, empty or not. */
  ref: RefObject<Part | null>;
  /** Of the empty space to leave while nobody is near; undefined while the rows are to be drawn. */
  placeholderHeight: number | undefined;
}

export function useInView<Part extends HTMLElement>(): InView<Part> {
  const ref = useRef<Part>(null);
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
        // Without a height it is not shown at all, as under a fallback: that is not far. And whoever works in a row
        // keeps it, wherever they scroll.
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
