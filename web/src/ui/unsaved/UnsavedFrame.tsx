// Lets the frame's own keys ask before they take unsaved work away. Who holds such work says so by `useUnsaved`.
import { createContext, type ReactNode, use, useCallback, useState } from "react";

/** Runs `go` at once, or after the person has agreed to lose what is not saved. */
export type AskBefore = (go: () => void) => void;

/** Whoever may hold unsaved work. */
export interface Holder {
  askBefore: AskBefore;
  /** What was to be left stays after all, whoever kept it: from here on it is asked about again. */
  guardAgain: () => void;
}

/** All that may hold unsaved work now, the newest last: the open tab, and a dialog over it; outside a frame those of the page. */
export const Holders = createContext<Set<Holder>>(new Set());

export function UnsavedFrame({ children }: { children: ReactNode }) {
  const [holders] = useState(() => new Set<Holder>());
  return <Holders value={holders}>{children}</Holders>;
}

/** For whoever is about to take the page away. */
export function useAskBefore(): AskBefore {
  const holders = use(Holders);
  return useCallback(
    (go) => {
      // What lies on top asks first, and those below it once that is given up.
      const asked = [...holders].reduce<() => void>(
        (then, { askBefore }) =>
          () =>
            askBefore(then),
        go,
      );
      asked();
    },
    [holders],
  );
}
