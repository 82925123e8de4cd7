// Deletes rows without a question, each once however often it is asked for.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useEffect, useState } from "react";
import { apiError, call } from "../../../api/client.ts";
import { isReadOf } from "../../../api/live/tables.ts";
import { DEMO_TRASH_MS } from "../../../rules/generated/constants.ts";
import type { TitledCode } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import type { RemovableRows, TrashKind } from "./rowsCalls.ts";
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

/** How long a press is taken for such a one. */
export const SETTLE_MS = 1_000;
/** How far, in pixels, a pointer that rests may stray. */
const REST_PX = 4;

interface Place {
  x: number;
  y: number;
}

interface LastPress {
  /** Notes where a row has just gone from under the pointer. */
  note: (place: Place) => void;
  /** What is pressed from here on is meant. */
  forget: () => void;
  /** True where the pointer has rested there since a row went, a moment ago. */
  isRestingAt: (place: Place) => boolean;
}

/** The same object on every render. */
export function useLastPress(): LastPress {
  const [last] = useState(createLastPress);
  useEffect(() => {
    // Who went elsewhere and comes back means what is there now.
    const move = ({ clientX: x, clientY: y }: PointerEvent) => last.heedMove({ x, y });
    document.addEventListener("pointermove", move, { passive: true });
    return () => document.removeEventListener("pointermove", move);
  }, [last]);
  return last;
}

function createLastPress() {
  let last: (Place & { at: number }) | undefined;
  const strays = ({ x, y }: Place) =>
    last !== undefined && Math.hypot(x - last.x, y - last.y) > REST_PX;
  const forget = () => {
    last = undefined;
  };
  return {
    note(place: Place) {
      last = { ...place, at: performance.now() };
    },
    forget,
    heedMove(place: Place) {
      if (strays(place)) forget();
    },
    isRestingAt: (place: Place) =>
      last !== undefined && performance.now() - last.at < SETTLE_MS && !strays(place),
  };
}

const all = new WeakMap<QueryClient, Set<string>>();

function of(client: QueryClient): Set<string> {
  const held = all.get(client) ?? new Set<string>();
  all.set(client, held);
  return held;
}

/** Notes that a row is being deleted; false where it is already. */
export function beginDeletion(client: QueryClient, id: string): boolean {
  if (of(client).has(id)) return false;
  of(client).add(id);
  return true;
}

/** The row is there, or there again: from here on it can be deleted. */
export function endDeletion(client: QueryClient, id: string): void {
  of(client).delete(id);
}

/** Whether rows of a kind are shown in the trash: a demo can only be brought back by the key that is there for a minute. */
export function isListed(kind: TrashKind | undefined): boolean {
  return kind !== "demo";
}

/** What is said of rows that were restored. */
export type RestoredCode = "restored" | "restored_as_draft";

const restoredCode = (drafts: readonly string[] = []): RestoredCode =>
  drafts.length > 0 ? "restored_as_draft" : "restored";

/** Brings a deleted row back, with its files and its places on the pages; answers what to say of it. */
export async function restoreRow(
  client: QueryClient,
  kind: TrashKind,
  id: string,
): Promise<RestoredCode> {
  // The row may be back in the list before the answer is here.
  endDeletion(client, id);
  const path = { kind, id };
  const restored = await call("POST", "/api/admin/trash/{kind}/{id}/restore", { params: { path } });
  return restoredCode(restored?.drafts);
}

/** Reads again what is in the trash, and how much: whoever moved something need not wait to be told of it. */
export function readTrashAgain(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [url] }) => isReadOf("trash", url) });
}

/** As many rows as the server moves at once. */
const MOVED_AT_ONCE = 100;

/** Rows that were moved, and whether that was all of them. */
interface Moved {
  ids: string[];
  /** Those that came back as drafts. */
  drafts: string[];
  hasFailed: boolean;
}

type Move = "/api/admin/trash" | "/api/admin/trash/restore";

/** Moves any number of rows; `onMoved` hears of each part as it is done. What fails ends it. */
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
    } catch {
      return { ids: moved, drafts, hasFailed: true };
    }
    onMoved?.(part);
  }
  return { ids: moved, drafts, hasFailed: false };
}

/** Moves rows to the trash; those that were there already are not among the answer's. */
export function trashRows(
  kind: TrashKind,
  ids: readonly string[],
  onMoved: (part: readonly string[]) => void,
): Promise<Moved> {
  return moveRows("/api/admin/trash", kind, ids, onMoved);
}

/** Brings rows back from the trash; answers what to say of them, or nothing where that failed. */
export async function restoreRows(
  client: QueryClient,
  kind: TrashKind,
  ids: readonly string[],
): Promise<RestoredCode | undefined> {
  for (const id of ids) endDeletion(client, id);
  const { drafts, hasFailed } = await moveRows("/api/admin/trash/restore", kind, ids);
  return hasFailed ? undefined : restoredCode(drafts);
}

/** Removes a row of the trash for good. */
export function purgeRow(kind: TrashKind, id: string): Promise<unknown> {
  return call("DELETE", "/api/admin/trash/{kind}/{id}", { params: { path: { kind, id } } });
}
