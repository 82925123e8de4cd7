// Holds unsaved work: warns before the page, the tab or the dialog is left with it.
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, use, useCallback, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../Button.tsx";
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
    question: isAsking && <LeaveQuestion loss={loss} onStay={stay} onLeave={leave} />,
  };
}

function tabOf({ search }: { search: object }): unknown {
  return "tab" in search ? search.tab : undefined;
}

interface LeaveQuestionProps {
  loss: string;
  onStay: () => void;
  onLeave: () => void;
}

function LeaveQuestion({ loss, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onStay()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-dialog bg-ground/85" />
        <AlertDialog.Viewport className="fixed inset-0 z-dialog grid grid-cols-[minmax(0,1fr)] p-gutter">
          <AlertDialog.Popup
            data-modal
            className="m-auto flex w-full max-w-[31rem] flex-col gap-5 border border-signal bg-ground p-gutter"
          >
            <AlertDialog.Title className="type-title">Unsaved changes</AlertDialog.Title>
            <AlertDialog.Description>{loss}</AlertDialog.Description>
            <div className="type-label flex flex-wrap gap-3">
              <AlertDialog.Close className="button button-main">Keep Editing</AlertDialog.Close>
              <Button variant="destroy" onClick={onLeave}>
                Leave Without Saving
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
