// The dialog behind LOGIN is a file of its own, fetched with the first sign that somebody wants it.

export function loadTerminalAccess() {
  return import("../../features/accounts/TerminalAccessDialog.tsx").then(
    (module) => module.TerminalAccessDialog,
  );
}

/** Fetches it ahead. A failure shows when the dialog is opened and is tried again then. */
export function prepareTerminalAccess(): void {
  loadTerminalAccess().catch(() => undefined);
}
