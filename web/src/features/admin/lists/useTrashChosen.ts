// Moves the chosen rows to the trash, and undoes it. Demos are not listed in the trash, so the texts call them deleted.
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { isFocusLost } from "../../../ui/takeFocus.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import type { Choice } from "./choice.tsx";
import type { RemovableRows, TrashKind } from "./rowsCalls.ts";
import { isListed, readTrashAgain, restoreRows, trashRows, undoTime } from "./useDelete.ts";
import { dropRows, readRowsAgain } from "./useRows.ts";

interface TrashChosenOptions {
  choice: Choice;
  calls: RemovableRows;
  nouns: readonly [one: string, many: string];
  /** Takes the focus once the rows are gone. */
  headingRef: RefObject<HTMLElement | null>;
}

export function useTrashChosen({ choice, calls, nouns, headingRef }: TrashChosenOptions) {
  const client = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  const isUnderWay = useRef(false);

  async function move(pressed: Element): Promise<void> {
    const { trash, path } = calls;
    const ids = choice.ids();
    if (!trash || ids.length === 0 || isUnderWay.current) return;
    isUnderWay.current = true;
    setMoving(true);
    const moved = await trashRows(trash, ids, (part) => dropRows(client, path, part));
    isUnderWay.current = false;
    setMoving(false);
    readRowsAgain(client, path);
    readTrashAgain(client);
    if (moved.ids.length > 0) {
      const undone = { ...undoTime(trash), onUndo: () => void undo(trash, moved.ids) };
      if (isListed(trash)) toastSuccess("rows_trashed", told(moved.ids.length), undone);
      else toastSuccess("demo_deleted", undefined, undone);
    }
    if (moved.hasFailed) toastError(isListed(trash) ? "trash_failed" : "demo_delete_failed");
    else if (isFocusLost(pressed)) headingRef.current?.focus();
  }

  async function undo(trash: TrashKind, ids: readonly string[]): Promise<void> {
    const restored = await restoreRows(client, trash, ids);
    readRowsAgain(client, calls.path);
    readTrashAgain(client);
    if (restored) toastSuccess(restored);
    else toastError("restore_failed");
  }

  function told(count: number): string {
    return `${count} ${nouns[count === 1 ? 0 : 1]}`;
  }

  return { isMoving, move };
}
