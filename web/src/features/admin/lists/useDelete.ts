// Deletes rows without a question, each once however often it is pressed.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useEffect, useRef } from "react";
import { apiError, call, REQUEST_TIMEOUT_MS } from "../../../api/client.ts";
import { isReadOf } from "../../../api/live/tables.ts";
import { DEMO_TRASH_MS } from "../../../rules/generated/constants.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import {
  messageText,
  messageTitle,
  type TitledCode,
  type ToastCode,
} from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import type { RemovableRows, TrashKind } from "./useRows.ts";
import { dropRows, readRowsAgain } from "./useRows.ts";

export interface DeleteOptions {
  /** The same on every render. */
  calls: RemovableRows;
  messages: {
    deleteFailed: ToastCode;
    /** Left out where the missing row says enough. */
    deleted?: TitledCode;
  };
  onGone?: (id: string) => void;
}

/** How long undo is offered, `ago` after a deletion: demos are not listed in the trash. */
export function undoTime(trash: TrashKind, ago = 0): { timeout?: number } {
  return isListed(trash) ? {} : { timeout: DEMO_TRASH_MS - ago };
}

/** The click handler of a row's Delete; the same function on every render if the options are. */
export function useDelete({ calls, messages, onGone }: DeleteOptions) {
  const client = useQueryClient();
  const lastPress = useLastPress();

  return useCallback(
    (event: MouseEvent, id: string): void => {
      const { clientX: x, clientY: y } = event;
      // Presses by keyboard have no position.
      const isPointed = event.detail > 0;

      async function remove(): Promise<void> {
        const underWay = deletionsOf(client);
        if (underWay.has(id)) return;
        underWay.add(id);
        const usesOf = calls.shownBy?.(client, [id]);
        const asked = Date.now();
        try {
          await calls.remove(id);
        } catch (error) {
          // Already deleted by someone else.
          const { status, isUnsure } = apiError(error);
          if (status !== 404) {
            underWay.delete(id);
            if (isUnsure && calls.trash) {
              offerUndo(client, calls.path, calls.trash, [id], messages.deleteFailed);
            } else {
              toastChangeFailed(error, messages.deleteFailed);
              readRowsAgain(client, calls.path);
            }
            return;
          }
        }
        // It may be restored, and deleted again.
        setTimeout(() => underWay.delete(id), SETTLE_MS);
        dropRows(client, calls.path, [id]);
        if (isPointed) lastPress.current = { x, y, at: performance.now() };
        readRowsAgain(client, calls.path);
        if (calls.trash) readTrashAgain(client);
        toastDeleted(id, usesOf?.([id]), Date.now() - asked);
        onGone?.(id);
      }

      function toastDeleted(gone: string, uses: string | undefined, ago: number): void {
        const { trash } = calls;
        const code = uses ? "media_taken_out" : messages.deleted;
        if (!code) return;
        const onUndo = () => {
          // The row may reappear before the answer arrives, and a press in its place is meant for it.
          lastPress.current = undefined;
          if (trash) void undoRows(client, calls.path, trash, [gone]);
        };
        toastSuccess(code, uses, trash && { ...undoTime(trash, ago), onUndo });
      }

      // The next row may already be under the pointer for the second press of a double click.
      const { current: last } = lastPress;
      const isResting = last && performance.now() - last.at < SETTLE_MS && !isApart(last, { x, y });
      if (event.detail > 1 || (isPointed && isResting)) return;
      void remove();
    },
    [client, calls, messages, onGone, lastPress],
  );
}

/** How long a press in the same place is taken to be meant for the deleted row. */
const SETTLE_MS = 1_000;
/** How far, in pixels, a resting pointer may move. */
const REST_PX = 4;

interface Place {
  x: number;
  y: number;
}

/** Rows move up when one is deleted: a press in the same place soon after was meant for the row that is gone. */
function useLastPress() {
  const last = useRef<Place & { at: number }>(undefined);
  useEffect(() => {
    // Coming back to the place is deliberate.
    function move({ clientX: x, clientY: y }: PointerEvent): void {
      if (last.current && isApart(last.current, { x, y })) last.current = undefined;
    }
    document.addEventListener("pointermove", move, { passive: true });
    return () => document.removeEventListener("pointermove", move);
  }, []);
  return last;
}

function isApart(one: Place, other: Place): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) > REST_PX;
}

/** The rows being deleted, for all lists of a page. */
const deletions = new WeakMap<QueryClient, Set<string>>();

function deletionsOf(client: QueryClient): Set<string> {
  const held = deletions.get(client) ?? new Set<string>();
  deletions.set(client, held);
  return held;
}

/** Whether the trash lists a kind. A demo can only be restored by the undo that is shown for a minute. */
export function isListed(kind: TrashKind | undefined): boolean {
  return kind !== "demo";
}

/** For rows that may be deleted, as the answer was lost. */
export function offerUndo(
  client: QueryClient,
  path: RemovableRows["path"],
  trash: TrashKind,
  ids: readonly string[],
  failed: ToastCode,
): void {
  readRowsAgain(client, path);
  readTrashAgain(client);
  showToast({
    title: messageTitle(failed),
    description: `${messageText(failed)}. The server did not answer: UNDO brings back what may be gone.`,
    isError: true,
    undo: {
      ...undoTime(trash, REQUEST_TIMEOUT_MS),
      onUndo: () => void undoRows(client, path, trash, ids),
    },
  });
}

export function readTrashAgain(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [url] }) => isReadOf("trash", url) });
}

/** The server's limit. */
const MOVED_AT_ONCE = 100;

interface Moved {
  ids: string[];
  /** Those restored as drafts. */
  drafts: string[];
  /** Those that may be moved, as the answer was lost. */
  unsure: readonly string[];
  hasFailed: boolean;
}

type Move = "/api/admin/trash" | "/api/admin/trash/restore";

/** Moves any number of rows and stops at a failure; `onMoved` is called after each part. */
async function moveRows(
  path: Move,
  kind: TrashKind,
  ids: readonly string[],
  onMoved?: (part: readonly string[]) => void,
): Promise<Moved> {
  const moved: string[] = [];
  const drafts: string[] = [];
  for (let at = 0; at < ids.length; at += MOVED_AT_ONCE) {
    const part = ids.slice(at, at + MOVED_AT_ONCE);
    try {
      const body = { kind, ids: part };
      const answer: { ids: string[]; drafts?: string[] } = await call("POST", path, { body });
      moved.push(...answer.ids);
      drafts.push(...(answer.drafts ?? []));
    } catch (error) {
      const unsure = apiError(error).isUnsure ? part : [];
      return { ids: moved, drafts, unsure, hasFailed: true };
    }
    onMoved?.(part);
  }
  return { ids: moved, drafts, unsure: [], hasFailed: false };
}

/** Moves rows to the trash; the result leaves out those that were already there. */
export function trashRows(
  kind: TrashKind,
  ids: readonly string[],
  onMoved: (part: readonly string[]) => void,
): Promise<Moved> {
  return moveRows("/api/admin/trash", kind, ids, onMoved);
}

/** Restores those of the rows that are in the trash. */
export async function undoRows(
  client: QueryClient,
  path: RemovableRows["path"],
  trash: TrashKind,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) deletionsOf(client).delete(id);
  const restored = await moveRows("/api/admin/trash/restore", trash, ids);
  dropRows(client, `/api/admin/trash/${trash}`, restored.ids);
  readRowsAgain(client, path);
  readTrashAgain(client);
  if (restored.unsure.length > 0) {
    showToast({
      title: "Perhaps restored",
      description: "The server did not answer. Look before you try again.",
      isError: true,
    });
  } else if (restored.hasFailed) toastError("restore_failed");
  else if (restored.ids.length === 0) toastNotInTrash();
  else toastSuccess(restored.drafts.length > 0 ? "restored_as_draft" : "restored");
}

/** For a row that another admin, or its time limit, took out of the trash first. */
export function toastNotInTrash(): void {
  showToast({
    title: "Not in the trash",
    description: "It is back on the list, or gone for good.",
  });
}
