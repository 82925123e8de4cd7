// Lets the frame's own keys ask before they take unsaved work away. Who holds such work says so by `useUnsaved`.
import { createContext, type ReactNode, type RefObject, use, useCallback, useRef } from "react";

/** Runs `go` at once, or after the person has agreed to lose what is not saved. */
export type AskBefore = (go: () => void) => void;

/** The one that holds unsaved work now: the open tab or the dialog over it, and outside a frame the page. */
export const Holder = createContext<RefObject<AskBefore | undefined>>({ current: undefined });

export function UnsavedFrame({ children }: { children: ReactNode }) {
  const holder = useRef<AskBefore>(undefined);
  return <Holder value={holder}>{children}</Holder>;
}

/** For whoever is about to take the page away. */
export function useAskBefore(): AskBefore {
  const holder = use(Holder);
  return useCallback((go) => (holder.current ? holder.current(go) : go()), [holder]);
}
