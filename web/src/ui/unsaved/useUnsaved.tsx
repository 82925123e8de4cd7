// Asks before unsaved work is lost with the page, the tab or the dialog.
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, use, useCallback, useLayoutEffect, useRef, useState } from "react";
import { ConfirmDialog } from "../ConfirmDialog.tsx";
import { type AskBefore, Holders } from "./UnsavedFrame.tsx";

interface Unsaved {
  /** For exits without a change of address: closing, signing out. */
  askBefore: AskBefore;
  /** The question, to be rendered beside the work. */
  question: ReactNode;
}

/**
 * `unsaved` is whether there is any, or a key of the work if it can be given up in parts, each asked about. `loss` says
 * what leaving costs.
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
    // A dialog over the page ends nothing.
    shouldBlockFn: ({ current, next }) =>
      dirty.current && (current.pathname !== next.pathname || tabOf(current) !== tabOf(next)),
    enableBeforeUnload: () => dirty.current,
    withResolver: true,
  });
  const askBefore = useCallback<AskBefore>((go) => {
    if (dirty.current) setWaiting(() => go);
    else go();
  }, []);
  // A layout effect, so that a removed page no longer asks.
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
    // Others may have been given up before, and stay with this one.
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
