import { message, type TitledCode } from "../messages.ts";
import { showToast, type Undo } from "./toastQueue.ts";

/** Reports a success; `value` replaces the part in braces, and `undo` reverts it. */
export function toastSuccess(code: TitledCode, value?: string, undo?: Undo): void {
  const { title, text } = message(code, value);
  showToast({ title, ...(text && { description: text }), ...(undo && { undo }) });
}

/** Reports a failure; `value` replaces the part in braces. */
export function toastError(code: TitledCode, value?: string): void {
  const { title, text } = message(code, value);
  showToast({ title, description: text, isError: true });
}
