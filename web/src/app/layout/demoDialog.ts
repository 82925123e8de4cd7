// The dialog behind the invitation to join is a file of its own, fetched with the first sign that somebody wants it.

export function loadDemoDialog() {
  return import("../../features/demos/DemoDialog.tsx").then((module) => module.DemoDialog);
}

/** Fetches it ahead. A failure shows when the dialog is opened and is tried again then. */
export function prepareDemoDialog(): void {
  loadDemoDialog().catch(() => undefined);
}
