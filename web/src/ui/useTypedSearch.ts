// A search kept in the page's address. It is written there, replacing the entry, once typing rests, so that Back leaves
// the list and not its last letter.
import { useCallback, useEffect, useRef, useState } from "react";

/** Shorter than a thought, longer than the gap between two letters. */
export const REST_MS = 250;

export interface TypedSearch {
  typed: string;
  setTyped: (typed: string) => void;
  searchNow: () => void;
  /** The `ref` of the field on painted pages: input from before hydration is taken over. */
  field: (field: HTMLInputElement | null) => void;
}

/**
 * `q` is the address's search. `write` changes it, or returns false if that would cancel a navigation; the same
 * function on every render.
 */
export function useTypedSearch(q: string, write: (q: string) => unknown): TypedSearch {
  const [typed, setTyped] = useState(q);
  /** Values written to the address that have not arrived yet. */
  const onTheWay = useRef<string[]>([]);

  const shown = useRef(q);
  useEffect(() => {
    if (shown.current === q) return;
    shown.current = q;
    const arrived = onTheWay.current.indexOf(q);
    // Not written here: Back or a link changed the address.
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

/** The value once it has stayed the same for `ms`. */
export function usePaused(value: string, ms: number): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return paused;
}
