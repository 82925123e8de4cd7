// The words for what the second factor's service answers.
import { ApiError } from "../api/client.ts";
import { MFA_TEXTS } from "../rules/generated/messages.ts";
import { withRules } from "../rules/rules.ts";
import { messageText, type TextCode } from "../ui/messages.ts";
import { wordsFor } from "./wordsFor.ts";

/** The text for a code of the service; its own message counts where the catalogue says so. */
export function mfaMessage(code: string, message?: string): string {
  return withRules((rules) => rules.mfaText(code, message ?? null)) ?? message ?? known(code);
}

function known(code: string): string {
  return Object.hasOwn(MFA_TEXTS, code)
    ? MFA_TEXTS[code as keyof typeof MFA_TEXTS]
    : MFA_TEXTS.failed;
}

/** What went wrong with a verification. */
export function mfaProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return mfaMessage("internal");
  if (error.status === 401) return mfaMessage("no_session");
  return mfaMessage(codeOf(error), error.said);
}

/** The service's code; what answered in its place (a proxy) is told by its status. */
function codeOf({ status, code }: ApiError): string {
  if (status === 0) return "network";
  if (code !== "unknown") return code;
  return status === 429 ? "rate_limited" : status >= 500 ? "internal" : code;
}

/**
 * What went wrong with a recovery code's call: the server's words where it had some, and the catalogue's under `code`
 * where it could not say anything.
 */
export function recoveryProblem(error: unknown, code: TextCode): string {
  return wordsFor(error, messageText(code), { byStatus: { 401: mfaMessage("no_session") } });
}
