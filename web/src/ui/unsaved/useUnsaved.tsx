// Holds unsaved work: warns before the page, the tab or the dialog is left with it.
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, use, useCallback, useLayoutEffect, useRef, useState } from "react";
import { ConfirmDialog } from "../ConfirmDialog.tsx";
import { type AskBefore, Holders } from "./UnsavedFrame.tsx";

interface Unsaved {
  /** For the ways out that are no change of address: closing, signing out. */
  askBefore: AskBefore;
  /** The question, to be placed where the work is. */
  question: ReactNode;
}

/**
 * `unsaved` is whether anything is, or which work it is where some of it can be given up and some kept: each is asked about.
 * `loss` says what leaving costs.
 */
export function useUnsaved(
  unsaved: boolean | string,
  loss = "What you typed here is not saved. Leaving throws it away.",
): Unsaved {
  const holders = use(Holders);
  const dirty = useRef(Boolean(unsaved));
  const present = useRef(unsaved);
  const [waiting, setWaiting] = useState<() => void>();
  const blocker = useBlocker({
    // A dialog over the page takes nothing away.
    shouldBlockFn: ({ current, next }) =>
      dirty.current && (current.pathname !== next.pathname || tabOf(current) !== tabOf(next)),
    enableBeforeUnload: () => dirty.current,
    withResolver: true,
  });
  const askBefore = useCallback<AskBefore>((go) => {
    if (dirty.current) setWaiting(() => go);
    else go();
  }, []);
  // Before anything else that happens on the same change: a page that is taken away asks nothing any more.
  useLayoutEffect(() => {
    dirty.current = Boolean(unsaved);
    present.current = unsaved;
    return () => {
      dirty.current = false;
    };
  }, [unsaved]);
  useLayoutEffect(() => {
    const guardAgain = () => {
      dirty.current = Boolean(present.current);
    };
    const holder = { askBefore, guardAgain };
    holders.add(holder);
    return () => {
      holders.delete(holder);
    };
  }, [holders, askBefore]);

  function stay(): void {
    setWaiting(undefined);
    blocker.reset?.();
    // Others may have been given up on the way here, and stay with this one.
    for (const holder of holders) holder.guardAgain();
  }
  function leave(): void {
    dirty.current = false;
    setWaiting(undefined);
    waiting?.();
    blocker.proceed?.();
  }
  const isAsking = waiting !== undefined || blocker.status === "blocked";
  return {
    askBefore,
    question: isAsking && (
      <ConfirmDialog
        title="Unsaved changes"
        confirm="Leave Without Saving"
        onConfirm={leave}
        cancel="Keep Editing"
        onCancel={stay}
        isCancelAdvised
      >
        {loss}
      </ConfirmDialog>
    ),
  };
}

function tabOf({ search }: { search: object }): unknown {
  return "tab" in search ? search.tab : undefined;
}
