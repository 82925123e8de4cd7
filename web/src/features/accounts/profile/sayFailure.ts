// What a person hears of a change of the profile that was not made.
import { ApiError } from "../../../api/client.ts";
import { textOf, words } from "../../../rules/words.ts";
import { ChallengeCancelled } from "../../../session/challenge.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";

/** Says the words for a code in a toast that speaks of a failure. */
export function sayError(code: string, message?: string): void {
  const { title, text } = words(code, message);
  showToast({ title, description: text, isError: true });
}

/** Says the words for a code in a toast that speaks of success. */
export function sayDone(code: string): void {
  const { title, text } = words(code);
  showToast({ title, ...(text && { description: text }) });
}

/** True where the person closed the question for their password or code: they know that nothing happened. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ChallengeCancelled;
}

/** The service's own words for its refusal; undefined where it failed or could not be reached. */
export function serviceMessage(error: unknown): string | undefined {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return isRefusal ? error.message : undefined;
}

/** The service's words, or ours where it had none. */
export function messageOf(error: unknown): string {
  return serviceMessage(error) ?? textOf("callback_unexpected");
}

/** What the service said of a single field. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined;
}
