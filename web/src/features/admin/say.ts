// The dashboard's toasts, in the rules' words for a code.
import { type TitledCode, words } from "../../rules/words.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";

/** Says that something was done. */
export function sayDone(code: TitledCode): void {
  const { title, text } = words(code);
  showToast({ title, ...(text && { description: text }) });
}

/** Says that something failed; `value` takes the place of the part in braces. */
export function sayFailed(code: TitledCode, value?: string): void {
  const { title, text } = words(code, value);
  showToast({ title, description: text, isError: true });
}
