// A search whose words stand in the page's address: what is typed is written there once the typing rests, in place of what stood there,
// so that going back leaves the list and not its last letter.
import { useCallback, useEffect, useRef, useState } from "react";

/** Shorter than a thought, longer than the gap between two letters. */
export const REST_MS = 250;

/** What stands in a search field. */
export interface TypedSearch {
  typed: string;
  setTyped: (typed: string) => void;
  /** Searches at once, as Enter does. */
  searchNow: () => void;
  /** The `ref` of the field on pages that come painted: what was typed there before the app came is taken over. */
  field: (field: HTMLInputElement | null) => void;
}

/**
 * `q` is what the address says, `write` puts something there, or answers false where another page is on its way and would be
 * called off by it; the same function on every render.
 */
export function useTypedSearch(q: string, write: (q: string) => unknown): TypedSearch {
  const [typed, setTyped] = useState(q);
  /** What was written into the address and has not arrived there yet. */
  const onTheWay = useRef<string[]>([]);

  const shown = useRef(q);
  useEffect(() => {
    if (shown.current === q) return;
    shown.current = q;
    const arrived = onTheWay.current.indexOf(q);
    // Written here; else somebody has come to another address, by going back or by a link.
    if (arrived === -1) setTyped(q);
    onTheWay.current = onTheWay.current.slice(arrived + 1);
  }, [q]);

  const searchNow = useCallback(() => {
    const wanted = typed.trim();
    if (wanted === (onTheWay.current.at(-1) ?? q)) return;
    if (write(wanted) !== false) onTheWay.current.push(wanted);
  }, [typed, q, write]);

  useEffect(() => {
    const timer = setTimeout(searchNow, REST_MS);
    return () => clearTimeout(timer);
  }, [searchNow]);

  const field = useCallback((field: HTMLInputElement | null) => {
    if (field && field.value !== field.defaultValue) setTyped(field.value);
  }, []);

  return { typed, setTyped, searchNow, field };
}
