// Lets the frame's buttons ask before they discard unsaved work. Components with such work call `useUnsaved`.
import { createContext, type ReactNode, use, useCallback, useState } from "react";

/** Runs `go` at once, or after the person agreed to lose unsaved work. */
export type AskBefore = (go: () => void) => void;

export interface Holder {
  askBefore: AskBefore;
  /** The work stays after all, and is guarded again. */
  guardAgain: () => void;
}

/** All holders, the newest last: the open tab, and a dialog over it; outside of a frame those of the page. */
export const Holders = createContext<Set<Holder>>(new Set());

export function UnsavedFrame({ children }: { children: ReactNode }) {
  const [holders] = useState(() => new Set<Holder>());
  return <Holders value={holders}>{children}</Holders>;
}

export function useAskBefore(): AskBefore {
  const holders = use(Holders);
  return useCallback(
    (go) => {
      // The topmost asks first, then those below it.
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
