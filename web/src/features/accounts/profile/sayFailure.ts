// What a person hears of a change of the profile that was not made.
import { ApiError, serviceMessage } from "../../../api/client.ts";
import { type TitledCode, textOf, words } from "../../../rules/words.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";

/** Says the words for a code in a toast that speaks of a failure. */
export function sayError(code: TitledCode, message?: string): void {
  const { title, text } = words(code, message);
  showToast({ title, description: text, isError: true });
}

/** Says what the service refused in its own words; where it failed or could not be reached, the words for `exception`. */
export function sayRefusal(error: unknown, exception: TitledCode): void {
  const refused = serviceMessage(error);
  if (refused) sayError("update_failed", refused);
  else sayError(exception);
}

/** Says the words for a code in a toast that speaks of success. */
export function sayDone(code: TitledCode): void {
  const { title, text } = words(code);
  showToast({ title, ...(text && { description: text }) });
}

/** The service's words, or ours where it had none. */
export function messageOf(error: unknown): string {
  return serviceMessage(error) ?? textOf("callback_unexpected");
}

/** What the service said of a single field. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined;
}
