// The words for the answers of the second factor's service.
import { ApiError } from "../api/client.ts";
import { MFA_TEXTS } from "../rules/generated/messages.ts";
import { withRules } from "../rules/rules.ts";
import { messageText, type TextCode } from "../ui/messages.ts";
import { wordsFor } from "./wordsFor.ts";

/** The text for a code of the service, or its own message where the catalogue says so. */
export function mfaMessage(code: string, message?: string): string {
  return withRules((rules) => rules.mfaText(code, message ?? null)) ?? message ?? known(code);
}

function known(code: string): string {
  return Object.hasOwn(MFA_TEXTS, code)
    ? MFA_TEXTS[code as keyof typeof MFA_TEXTS]
    : MFA_TEXTS.failed;
}

/** The words for a failed verification. */
export function mfaProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return mfaMessage("internal");
  if (error.status === 401) return mfaMessage("no_session");
  return mfaMessage(codeOf(error), error.said);
}

/** The service's code; for a proxy's answer, one by its status. */
function codeOf({ status, code }: ApiError): string {
  if (status === 0) return "network";
  if (code !== "unknown") return code;
  return status === 429 ? "rate_limited" : status >= 500 ? "internal" : code;
}

/** The words for a failed call of a recovery code: the server's, or the text of `code`. */
export function recoveryProblem(error: unknown, code: TextCode): string {
  return wordsFor(error, messageText(code), { byStatus: { 401: mfaMessage("no_session") } });
}
