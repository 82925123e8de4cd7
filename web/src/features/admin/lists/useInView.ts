// Whether part of a long list is near the window, and how high it was when it left.
import { type RefObject, useEffect, useRef, useState } from "react";

/** A few screens, so that fast scrolling finds rows. */
const NEAR = "2000px";

interface InView<Part extends HTMLElement> {
  ref: RefObject<Part | null>;
  /** Undefined while the rows are rendered. */
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
