// Keeps the focus when a toast closes with its pressed button.
import { useEffect, useRef } from "react";
import { focusableHeading } from "../takeFocus.ts";

/**
 * Returns the focus to the last element outside of toasts if a closing toast had it. `toasts` is a new list whenever
 * one closed.
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
