// What a person hears of a change of the profile that the service refused.
import { apiError, serviceMessage } from "../../../api/client.ts";
import { messageText, type TitledCode } from "../../../ui/messages.ts";
import { toastError } from "../../../ui/toasts/toast.ts";

/** Says what the service refused in its own words; where it failed or could not be reached, the words for `exception`. */
export function toastRefusal(error: unknown, exception: TitledCode): void {
  const refused = serviceMessage(error);
  if (refused) toastError("update_failed", refused);
  else toastError(exception);
}

/** The service's words, or ours where it had none. */
export function messageOf(error: unknown): string {
  return serviceMessage(error) ?? messageText("callback_unexpected");
}

/** What the service said of a single field. */
export function fieldMessage(error: unknown, field: string): string | undefined {
  return apiError(error).fields[field];
}
