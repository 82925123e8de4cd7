// The words for failed calls. Every screen takes them from here.
import { apiError, serviceMessage } from "../api/client.ts";
import { messageText, messageTitle, type TextCode, type ToastCode } from "../ui/messages.ts";
import { toastError } from "../ui/toasts/toast.ts";
import { showToast } from "../ui/toasts/toastQueue.ts";
import { isCancelled } from "./challenge.ts";

interface Wording {
  /** The text that the server's own words are put into. */
  refused?: TextCode;
  /** Sentences for single statuses, in place of the server's words. */
  byStatus?: Readonly<Record<number, string>>;
}

/** The server's own words where it refused the call with some, otherwise the sentence `failed`. */
export function wordsFor(error: unknown, failed: string, { refused, byStatus }: Wording = {}) {
  const words = serviceMessage(error);
  return (
    byStatus?.[apiError(error).status] ??
    (words && (refused ? messageText(refused, words) : words)) ??
    failed
  );
}

/** The server's words for a single field of the form. */
export function wordsForField(error: unknown, field: string): string | undefined {
  return apiError(error).fields[field];
}

/** For a form whose save was not answered. */
export const MAY_BE_SAVED =
  "The server did not answer. It may be saved: look before you try again.";

/** For a call that was not answered. */
export const MAY_BE_DONE =
  "The server did not answer. It may have been done: look before you try again.";

/** The text of a failure, and that the call may have been carried out where only its answer was lost. */
export function orMayBeDone(error: unknown, failed: string): string {
  return apiError(error).isUnsure ? `${failed.replace(/\.$/, "")}. ${MAY_BE_DONE}` : failed;
}

/** Says in a toast that a change failed. */
export function toastChangeFailed(error: unknown, failed: ToastCode, value?: string): void {
  const description = orMayBeDone(error, messageText(failed, value));
  showToast({ title: messageTitle(failed), description, isError: true });
}

/** Where only the answer was lost, that is said too. */
const OF_CHANGES: ReadonlySet<ToastCode> = new Set<ToastCode>([
  "backups_change_failed",
  "newsletter_change_failed",
  "letter_archive_failed",
  "letter_test_failed",
]);

/** Says in a toast why a change was not made; says nothing if its challenge was cancelled. */
export function toastFailure(error: unknown, failed: ToastCode): void {
  if (isCancelled(error)) return;
  const words = serviceMessage(error);
  if (words) toastError("update_failed", words);
  else if (OF_CHANGES.has(failed)) toastChangeFailed(error, failed);
  else toastError(failed);
}
