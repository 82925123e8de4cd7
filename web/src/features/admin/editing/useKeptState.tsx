// State that outlives a part of the page that broke: what was typed is there again when the part is drawn again.
import { createContext, type ReactNode, use, useCallback, useState } from "react";

const Kept = createContext<Map<string, unknown>>(new Map());

/** Stands around the boundary of the part, and keeps its states for as long as it is on the page itself. */
export function KeptStates({ children }: { children: ReactNode }) {
  const [states] = useState(() => new Map<string, unknown>());
  return <Kept value={states}>{children}</Kept>;
}

/** `useState` under a name of the part. */
export function useKeptState<State>(name: string, initial: State) {
  const kept = use(Kept);
  const [state, setState] = useState(() => (kept.has(name) ? (kept.get(name) as State) : initial));
  const change = useCallback(
    (next: (state: State) => State) =>
      setState((before) => {
        const after = next(before);
        kept.set(name, after);
        return after;
      }),
    [kept, name],
  );
  return [state, change] as const;
}
