// Messages to be shown in toasts, held until the part that shows toasts is loaded.
import { createAtom } from "@tanstack/react-store";

export interface Undo {
  onUndo: () => void;
  /** How long a local undo works: the toast stays as long. */
  timeout?: number;
}

/** An address to keep: the toast stays until it is closed. */
export interface KeptLink {
  href: string;
  label: string;
}

export interface ToastMessage {
  title: string;
  description?: string;
  link?: KeptLink;
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

export function takeToasts(): readonly ToastMessage[] {
  const taken = waitingToasts.get();
  if (taken.length > 0) waitingToasts.set([]);
  return taken;
}
