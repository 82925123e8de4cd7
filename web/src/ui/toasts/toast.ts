// Toasts in the catalogue's words for a code.
import { message, type TitledCode } from "../messages.ts";
import { showToast } from "./toastQueue.ts";

/** Says that something was done. */
export function toastSuccess(code: TitledCode): void {
  const { title, text } = message(code);
  showToast({ title, ...(text && { description: text }) });
}

/** Says that something failed; `value` takes the place of the part in braces. */
export function toastError(code: TitledCode, value?: string): void {
  const { title, text } = message(code, value);
  showToast({ title, description: text, isError: true });
}
