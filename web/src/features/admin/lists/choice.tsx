// Which rows of a list are chosen. Kept outside React state, so that choosing one row of ten thousand renders only that row.

import {
  type ChangeEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Asked } from "./rowsCalls.ts";

export interface Choice {
  subscribe: (changed: () => void) => () => void;
  has: (id: string) => boolean;
  size: () => number;
  loaded: () => number;
  /** The chosen rows in the list's order. */
  ids: () => string[];
  /** Toggles a row; with `isRange`, also the rows between it and the last toggled one. */
  toggle: (id: string, isRange: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
  /** Removes these rows from the choice. */
  drop: (ids: readonly string[]) => void;
  /** Sets the loaded rows; rows that are gone leave the choice. */
  setRows: (ids: readonly string[]) => void;
}

export function createChoice(): Choice {
  const listeners = new Set<() => void>();
  let chosen: ReadonlySet<string> = new Set();
  let rows: readonly string[] = [];
  let anchor: string | undefined;

  function change(next: ReadonlySet<string>): void {
    chosen = next;
    for (const listener of listeners) listener();
  }

  /** The rows between two, in either order; only `last` if `first` is not loaded. */
  function between(first: string | undefined, last: string): readonly string[] {
    const ends = [first === undefined ? -1 : rows.indexOf(first), rows.indexOf(last)];
    if (ends.includes(-1)) return [last];
    return rows.slice(Math.min(...ends), Math.max(...ends) + 1);
  }

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    has: (id) => chosen.has(id),
    size: () => chosen.size,
    loaded: () => rows.length,
    ids: () => rows.filter((id) => chosen.has(id)),
    toggle(id, isRange) {
      const isChosen = !chosen.has(id);
      const next = new Set(chosen);
      for (const one of isRange ? between(anchor, id) : [id]) {
        if (isChosen) next.add(one);
        else next.delete(one);
      }
      anchor = id;
      change(next);
    },
    chooseAll: () => change(new Set(rows)),
    clear() {
      anchor = undefined;
      if (chosen.size > 0) change(new Set());
    },
    drop(ids) {
      const gone = new Set(ids);
      change(new Set([...chosen].filter((id) => !gone.has(id))));
    },
    setRows(ids) {
      rows = ids;
      const there = new Set(ids);
      change(new Set([...chosen].filter((id) => there.has(id))));
    },
  };
}

/** The choice among the loaded rows. It is cleared by another search, order or state. */
export function useChoice(
  pages: readonly { items: readonly { id: string }[] }[] | undefined,
  { q, sort, state }: Asked,
): Choice {
  const [choice] = useState(createChoice);
  useLayoutEffect(() => {
    choice.setRows((pages ?? []).flatMap(({ items }) => items.map(({ id }) => id)));
  }, [choice, pages]);
  const asked = JSON.stringify([q, sort, state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the request clears it
  useEffect(() => () => choice.clear(), [choice, asked]);
  return choice;
}

function useIsChosen(choice: Choice, id: string): boolean {
  return useSyncExternalStore(
    choice.subscribe,
    () => choice.has(id),
    () => false,
  );
}

export function useChoiceCounts(choice: Choice): { chosen: number; loaded: number } {
  const chosen = useSyncExternalStore(choice.subscribe, choice.size, () => 0);
  const loaded = useSyncExternalStore(choice.subscribe, choice.loaded, () => 0);
  return { chosen, loaded };
}

interface ChooseBoxProps {
  choice: Choice;
  id: string;
  name: string;
  className?: string;
}

export function ChooseBox({ choice, id, name, className = "" }: ChooseBoxProps) {
  const isChosen = useIsChosen(choice, id);
  function toggle({ nativeEvent }: ChangeEvent): void {
    choice.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  }
  return (
    <input
      type="checkbox"
      aria-label={`Choose ${name}`}
      className={`check-box ${className}`}
      checked={isChosen}
      onChange={toggle}
      // With Shift, browsers would also select the text in between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    />
  );
}

interface ChooseAllBoxProps {
  choice: Choice;
  id: string;
}

/** Chooses all loaded rows, or none. */
export function ChooseAllBox({ choice, id }: ChooseAllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const { chosen, loaded } = useChoiceCounts(choice);
  const isAll = loaded > 0 && chosen === loaded;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);
  return (
    <input
      ref={box}
      id={id}
      type="checkbox"
      className="check-box"
      checked={isAll}
      onChange={() => (isAll ? choice.clear() : choice.chooseAll())}
    />
  );
}
