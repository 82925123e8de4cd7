// Toasts in the catalogue's words for a code.
import { message, type TitledCode } from "../messages.ts";
import { showToast, type Undo } from "./toastQueue.ts";

/** Says that something was done; `value` takes the place of the part in braces, and `undo` takes it back. */
export function toastSuccess(code: TitledCode, value?: string, undo?: Undo): void {
  const { title, text } = message(code, value);
  showToast({ title, ...(text && { description: text }), ...(undo && { undo }) });
}

/** Says that something failed; `value` takes the place of the part in braces. */
export function toastError(code: TitledCode, value?: string): void {
  const { title, text } = message(code, value);
  showToast({ title, description: text, isError: true });
}
