// Messages to be shown in toasts, held until the part that shows toasts is loaded.
import { createAtom } from "@tanstack/react-store";

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

export const waitingToasts = createAtom<readonly ToastMessage[]>([]);

/** Closes the toast of a message that is on show. */
export const toastClosers = new WeakMap<ToastMessage, () => void>();

export function showToast(message: ToastMessage): void {
  waitingToasts.set((waiting) => [...waiting, message]);
}

/** Takes back the toast of this very object, as its cause is mended. */
export function withdrawToast(message: ToastMessage): void {
  waitingToasts.set((waiting) => waiting.filter((one) => one !== message));
  toastClosers.get(message)?.();
}

/** Hands over the waiting messages, once. */
export function takeToasts(): readonly ToastMessage[] {
  const taken = waitingToasts.get();
  if (taken.length > 0) waitingToasts.set([]);
  return taken;
}
