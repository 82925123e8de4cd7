// What is to be said in a toast, held until the part that shows toasts is loaded.

/** What takes back what a toast says. */
export interface Undo {
  onUndo: () => void;
  /** How long it can be taken back, where that is here alone: the toast stays for as long, whatever else is said. */
  timeout?: number;
}

export interface ToastMessage {
  title: string;
  description?: string;
  /** True where something failed. */
  isError?: boolean;
  undo?: Undo;
}

let waiting: readonly ToastMessage[] = [];
const listeners = new Set<() => void>();

/** Says something in a toast. */
export function showToast(message: ToastMessage): void {
  waiting = [...waiting, message];
  for (const changed of listeners) changed();
}

/** Calls back whenever something is added. */
export function subscribeToToasts(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export function hasWaitingToasts(): boolean {
  return waiting.length > 0;
}

/** Hands over what is waiting, once. */
export function takeToasts(): readonly ToastMessage[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
