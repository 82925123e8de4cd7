// Keys that go, or are disabled, by their own press must not take the focus with them.
import { useEffect, useState } from "react";
import { isFocusFree } from "./takeFocus.ts";

/** As the `ref` of an element of any kind. */
type Place = (element: HTMLElement | null) => void;

/**
 * Leads whoever had the focus in something within `frame` that is gone or disabled now to `refuge`, unless they are
 * somewhere else by then. It looks whenever the component that calls it is drawn, which must stay itself.
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
      // Browsers let go of what is disabled a moment later.
      if (document.activeElement === last || isFocusFree()) places.refuge?.focus();
    },
  };
}
