// What is to be said in a toast, held until the part that shows toasts is loaded.

/** What takes back what a toast says. */
export interface Undo {
  onUndo: () => void;
  /** How long it can be taken back, where that is here alone: the toast stays for as long, whatever else is said. */
  timeout?: number;
}

/** An address to keep: the toast stays until it is closed, whatever else is said. */
export interface KeptLink {
  href: string;
  /** What it is called. */
  label: string;
}

export interface ToastMessage {
  title: string;
  description?: string;
  link?: KeptLink;
  /** True where something failed. */
  isError?: boolean;
  undo?: Undo;
}

interface Listener {
  /** Something is to be said. */
  added: () => void;
  /** What a toast says no longer holds. */
  withdrawn: (message: ToastMessage) => void;
}

let waiting: readonly ToastMessage[] = [];
const listeners = new Set<Listener>();

/** Says something in a toast. */
export function showToast(message: ToastMessage): void {
  waiting = [...waiting, message];
  for (const { added } of listeners) added();
}

/** Takes back what was said by this very object: what it spoke of is mended, and it would speak of what is there now. */
export function withdrawToast(message: ToastMessage): void {
  waiting = waiting.filter((one) => one !== message);
  for (const { withdrawn } of listeners) withdrawn(message);
}

/** Calls back whenever something is added or taken back. */
export function subscribeToToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
