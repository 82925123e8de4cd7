// Deletes rows without a question, each once however often it is asked for.
import { useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useCallback, useRef } from "react";
import { ApiError } from "../../../api/client.ts";
import { send } from "../../../api/send.ts";
import type { KindWords } from "../editing/kind.ts";
import { sayDone, sayFailed } from "../say.ts";
import { dropRow, readRowsAgain } from "./useRows.ts";

interface DeleteOptions {
  path: `/api/admin/${string}`;
  words: Pick<KindWords, "deleted" | "deleteFailed">;
  /** Hears that a row is gone, for the key that had the focus went with it. */
  onGone: () => void;
}

/** What the key of a row does; the same function on every render, if the options are. */
export function useDelete({ path, words, onGone }: DeleteOptions) {
  const client = useQueryClient();
  const underWay = useRef(new Set<string>());

  return useCallback(
    (event: MouseEvent, id: string): void => {
      async function remove(): Promise<void> {
        underWay.current.add(id);
        try {
          await send("DELETE", `${path}/${id}`);
        } catch (error) {
          // Gone already, by somebody else's hand: what was wanted is so.
          if (!(error instanceof ApiError && error.status === 404)) {
            underWay.current.delete(id);
            sayFailed(words.deleteFailed);
            return;
          }
        }
        dropRow(client, path, id);
        readRowsAgain(client, path);
        sayDone(words.deleted);
        onGone();
      }

      // The second half of a double click may already be over the next row's key.
      if (event.detail > 1 || underWay.current.has(id)) return;
      void remove();
    },
    [client, path, words, onGone],
  );
}
