// Deletes rows without a question, each once however often it is asked for.
import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback } from "react";
import { apiError } from "../../../api/client.ts";
import { DEMO_TRASH_MS } from "../../../rules/generated/constants.ts";
import type { TitledCode } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import type { RemovableRows } from "./rowsCalls.ts";
import {
  isListed,
  type RestoredCode,
  readTrashAgain,
  restoreRow,
  type TrashKind,
} from "./trashKinds.ts";
import { beginDeletion, endDeletion } from "./underDeletion.ts";
import { SETTLE_MS, useLastPress } from "./useLastPress.ts";
import { dropRow, readRowsAgain } from "./useRows.ts";

interface DeleteOptions {
  /** The same on every render. */
  calls: RemovableRows;
  messages: {
    deleteFailed: TitledCode;
    /** Undefined where a row that is gone says enough. */
    deleted?: TitledCode;
  };
  /** What is said of a row instead, where more is to be said; asked when it is gone. The same on every render. */
  told?: (id: string) => { code: TitledCode; value?: string } | undefined;
  /** Hears which row is gone. */
  onGone?: (id: string) => void;
  /**
   * Moves the focus on from a row that is gone: to `sibling`, the row next to it, where there is one.
   */
  restoreFocus: (sibling: HTMLElement | null) => void;
}

/** How long the key that brings a row back is there: a demo is in no list of the trash. */
export function undoTime(trash: TrashKind): { timeout?: number } {
  return isListed(trash) ? {} : { timeout: DEMO_TRASH_MS };
}

/** What the key of a row does; the same function on every render, if the options are. */
export function useDelete({ calls, messages, told, onGone, restoreFocus }: DeleteOptions) {
  const client = useQueryClient();
  const lastPress = useLastPress();

  return useCallback(
    (event: MouseEvent, id: string): void => {
      // Read now: the list may be told of the change before the answer is here.
      const row = event.currentTarget.closest("li, [role=listitem], tr");
      const sibling = siblingRow(row);

      const { clientX: x, clientY: y } = event;
      // Keys of the keyboard have no place.
      const isPointed = event.detail > 0;

      async function remove(): Promise<void> {
        if (!beginDeletion(client, id)) return;
        try {
          await calls.remove(id);
        } catch (error) {
          // Gone already, by somebody else's hand: what was wanted is so.
          if (apiError(error).status !== 404) {
            endDeletion(client, id);
            toastError(messages.deleteFailed);
            return;
          }
        }
        // It may come back from the trash, and be deleted again.
        setTimeout(() => endDeletion(client, id), SETTLE_MS);
        const focused = document.activeElement;
        const isLost = !focused || focused === document.body || row?.contains(focused);
        dropRow(client, calls.path, id);
        if (isPointed) lastPress.note({ x, y });
        readRowsAgain(client, calls.path);
        if (calls.trash) readTrashAgain(client);
        sayDeleted(id);
        onGone?.(id);
        if (isLost) restoreFocus(sibling?.isConnected ? sibling : null);
      }

      function sayDeleted(gone: string): void {
        const { trash } = calls;
        const said = told?.(gone) ?? (messages.deleted && { code: messages.deleted });
        if (!said) return;
        toastSuccess(
          said.code,
          said.value,
          trash && { ...undoTime(trash), onUndo: () => void undo(trash, gone) },
        );
      }

      async function undo(trash: TrashKind, gone: string): Promise<void> {
        // Now: the row may be back in the list before the answer is here, and a press where it was is meant for it again.
        lastPress.forget();
        let restored: RestoredCode;
        try {
          restored = await restoreRow(client, trash, gone);
        } catch {
          toastError("restore_failed");
          return;
        }
        readRowsAgain(client, calls.path);
        readTrashAgain(client);
        toastSuccess(restored);
      }

      // The second half of a double click may already be over the next row's key, and so may a second press.
      if (event.detail > 1 || (isPointed && lastPress.isRestingAt({ x, y }))) return;
      void remove();
    },
    [client, calls, messages, told, onGone, restoreFocus, lastPress],
  );
}

/** The next row that can be led to, or the one before. */
function siblingRow(row: Element | null): HTMLElement | null {
  const sibling = row?.nextElementSibling ?? row?.previousElementSibling;
  return sibling?.matches("[tabindex='-1']")
    ? (sibling as HTMLElement)
    : (sibling?.querySelector<HTMLElement>("[tabindex='-1']") ?? null);
}
