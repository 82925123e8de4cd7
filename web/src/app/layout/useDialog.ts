// The dialogs over the pages are part of the address, so that a link can open one and Back closes it.
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { lazyCode } from "../../code/lazyCode.ts";

/** The dialogs by their names in the address. Each is a chunk, prepared at the first sign that it will be opened. */
export const DIALOGS = {
  login: lazyCode(() =>
    import("../../features/accounts/TerminalAccessDialog.tsx").then((m) => m.TerminalAccessDialog),
  ),
  demo: lazyCode(() => import("../../features/demos/DemoDialog.tsx").then((m) => m.DemoDialog)),
};

export type DialogName = keyof typeof DIALOGS;

export function useOpenDialog(name: DialogName): () => void {
  const navigate = useNavigate();
  return useCallback(
    () =>
      void navigate({
        to: ".",
        // The rest of the address belongs to the page under the dialog.
        search: (others) => ({ ...others, dialog: name }),
        resetScroll: false,
      }),
    [navigate, name],
  );
}

/**
 * Closes the open dialog and takes it out of the browser's history, so that Back does not open it again. Going back to
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
