// The dialogs over the pages are part of the address, so that a link can open one and Back closes it.
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** The dialogs by their names in the address. */
export const DIALOGS = ["login", "demo"] as const;

export type DialogName = (typeof DIALOGS)[number];

/** Opens a dialog over whatever page is on show. */
export function useOpenDialog(name: DialogName): () => void {
  const navigate = useNavigate();
  return useCallback(
    () =>
      void navigate({
        to: ".",
        // What else the address says is the page's own, which stays under the dialog as it is.
        search: (others) => ({ ...others, dialog: name }),
        resetScroll: false,
      }),
    [navigate, name],
  );
}

/**
 * Closes whichever dialog is open, and takes it out of the browser's history: Back does not open it again. Going back to
 * the entry before it instead would scroll the page to its top.
 */
export function useCloseDialog(): () => void {
  const navigate = useNavigate();
  return useCallback(
    () =>
      void navigate({
        to: ".",
        search: ({ dialog: _, reset: __, ...others }) => others,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}
