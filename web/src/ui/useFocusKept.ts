// Keeps the focus when a button disappears, or is disabled, by its own press.
import { useEffect, useState } from "react";
import { isFocusFree } from "./takeFocus.ts";

/** A `ref` for any element. */
type Place = (element: HTMLElement | null) => void;

/**
 * Moves the focus to `refuge` if the focused element within `frame` was removed or disabled, unless the focus has moved
 * on. It checks at every render of the calling component, which must stay mounted.
 */
export function useFocusKept(): { frame: Place; refuge: Place } {
  const [{ places, frame, refuge, note, look }] = useState(keeper);
  useEffect(() => {
    const heed = ({ target }: FocusEvent) => note(target);
    note(document.activeElement);
    document.addEventListener("focusin", heed);
    return () => {
      document.removeEventListener("focusin", heed);
      places.last = null;
    };
  }, [note, places]);
  useEffect(look);
  return { frame, refuge };
}

function keeper() {
  const places: Record<"frame" | "refuge" | "last", HTMLElement | null> = {
    frame: null,
    refuge: null,
    last: null,
  };
  return {
    places,
    frame(element: HTMLElement | null): void {
      places.frame = element;
    },
    refuge(element: HTMLElement | null): void {
      places.refuge = element;
    },
    note(focused: EventTarget | null): void {
      const isWithin = focused instanceof HTMLElement && places.frame?.contains(focused);
      places.last = isWithin ? focused : null;
    },
    look(): void {
      const { last } = places;
      if (!last || (last.isConnected && !last.matches(":disabled"))) return;
      // Browsers blur disabled elements a moment later.
      if (document.activeElement === last || isFocusFree()) places.refuge?.focus();
    },
  };
}
