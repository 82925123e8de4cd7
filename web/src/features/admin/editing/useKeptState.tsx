// State that survives a part of the page that threw: it is there again once the part is drawn again.
import { createContext, type ReactNode, use, useCallback, useState } from "react";

const Kept = createContext<Map<string, unknown> | undefined>(undefined);

/** Goes around the error boundary of the part. */
export function KeptStates({ children }: { children: ReactNode }) {
  const [states] = useState(() => new Map<string, unknown>());
  return <Kept value={states}>{children}</Kept>;
}

/** `useState` under a name; a plain state outside `KeptStates`. */
export function useKeptState<State>(name: string, initial: State) {
  const kept = use(Kept);
  const [state, setState] = useState(() => (kept?.has(name) ? (kept.get(name) as State) : initial));
  const change = useCallback(
    (next: (state: State) => State) =>
      setState((before) => {
        const after = next(before);
        kept?.set(name, after);
        return after;
      }),
    [kept, name],
  );
  return [state, change] as const;
}
