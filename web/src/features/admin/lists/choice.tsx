// Which rows of a list are chosen. Kept outside React state, so that choosing one row of ten thousand renders only that row.
import { createAtom, useSelector } from "@tanstack/react-store";
import {
  type ChangeEvent,
  type ComponentProps,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Asked } from "./useRows.ts";

interface ChoiceState {
  /** The loaded rows in the list's order. */
  rows: readonly string[];
  chosen: ReadonlySet<string>;
}

export type Choice = ReturnType<typeof createChoice>;

export function createChoice() {
  const state = createAtom<ChoiceState>({ rows: [], chosen: new Set<string>() });
  let anchor: string | undefined;

  function choose(chosen: Iterable<string>): void {
    state.set((now) => ({ ...now, chosen: new Set(chosen) }));
  }

  function keep(isKept: (id: string) => boolean): void {
    choose([...state.get().chosen].filter(isKept));
  }

  /** The rows between two, in either order; only `last` if `first` is not loaded. */
  function between(first: string | undefined, last: string): readonly string[] {
    const { rows } = state.get();
    const ends = [first === undefined ? -1 : rows.indexOf(first), rows.indexOf(last)];
    if (ends.includes(-1)) return [last];
    return rows.slice(Math.min(...ends), Math.max(...ends) + 1);
  }

  return {
    state,
    /** The chosen rows in the list's order. */
    ids(): string[] {
      const { rows, chosen } = state.get();
      return rows.filter((id) => chosen.has(id));
    },
    /** Toggles a row; with `isRange`, also the rows between it and the last toggled one. */
    toggle(id: string, isRange: boolean): void {
      const next = new Set(state.get().chosen);
      const isChosen = !next.has(id);
      for (const one of isRange ? between(anchor, id) : [id]) {
        if (isChosen) next.add(one);
        else next.delete(one);
      }
      anchor = id;
      choose(next);
    },
    chooseAll: () => choose(state.get().rows),
    clear(): void {
      anchor = undefined;
      if (state.get().chosen.size > 0) choose([]);
    },
    drop(ids: readonly string[]): void {
      const gone = new Set(ids);
      keep((id) => !gone.has(id));
    },
    /** Sets the loaded rows; rows that are gone leave the choice. */
    setRows(rows: readonly string[]): void {
      state.set((now) => ({ ...now, rows }));
      const there = new Set(rows);
      keep((id) => there.has(id));
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

export function useChoiceCounts(choice: Choice): { chosen: number; loaded: number } {
  const chosen = useSelector(choice.state, (state) => state.chosen.size);
  const loaded = useSelector(choice.state, ({ rows }) => rows.length);
  return { chosen, loaded };
}

interface ChooseBoxProps {
  choice: Choice;
  id: string;
  name: string;
  className?: string;
}

export function ChooseBox({ choice, id, name, className = "" }: ChooseBoxProps) {
  const isChosen = useSelector(choice.state, ({ chosen }) => chosen.has(id));
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

interface ChooseAllBoxProps extends ComponentProps<"input"> {
  choice: Choice;
}

export function ChooseAllBox({ choice, ...input }: ChooseAllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const { chosen, loaded } = useChoiceCounts(choice);
  const isAll = loaded > 0 && chosen === loaded;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);
  return (
    <input
      {...input}
      ref={box}
      type="checkbox"
      className="check-box"
      checked={isAll}
      onChange={() => (isAll ? choice.clear() : choice.chooseAll())}
    />
  );
}
