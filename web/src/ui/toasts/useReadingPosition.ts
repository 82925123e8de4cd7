// Toasts go with the key that was pressed in them, and the reading position must not go with it.
import { useEffect, useRef } from "react";
import { focusableHeading } from "../takeFocus.ts";

/**
 * Remembers the reading position outside of toasts; where a toast takes the focus away with it, puts it back there. `toasts`
 * are another list whenever one went.
 */
export function useReadingPosition(toasts: readonly unknown[]): void {
  const outside = useRef<Element>(null);
  const isInside = useRef(false);
  useEffect(() => {
    function note(element: EventTarget | Element | null): void {
      if (!(element instanceof Element)) return;
      isInside.current = element.closest("[data-toasts]") !== null;
      if (!isInside.current) outside.current = element;
    }
    const heed = ({ target }: FocusEvent) => note(target);
    note(document.activeElement);
    document.addEventListener("focusin", heed);
    return () => document.removeEventListener("focusin", heed);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast that went may have had it
  useEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    isInside.current = false;
    const { current } = outside;
    const isThere = current instanceof HTMLElement && current.isConnected;
    const back = isThere && current !== document.body ? current : focusableHeading(document);
    back?.focus({ preventScroll: true });
  }, [toasts]);
}
