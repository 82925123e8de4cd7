// The calls that change the second factor, and what is said when they fail.
import { ApiError, serviceMessage } from "../../api/client.ts";
import { type TextCode, textOf } from "../../rules/words.ts";
import { isCancelled, withChallenges } from "../challenge.ts";
import { type MfaOperation, mfaOperation } from "../mfaCalls.ts";

export interface Secret {
  secret: string;
  /** An otpauth address. */
  qrCodeUrl: string;
  /** The secret in groups, to be typed. */
  manualEntryKey: string;
}

const AIM = "change your two-factor authentication";

/** One call, after the password where the server asks for it. */
export function changeFactor<Answer = object>(operation: MfaOperation) {
  return withChallenges(() => mfaOperation<Answer>(operation), AIM);
}

/** What went wrong: the service's words, those for a missing session, or the ones of this step under `code`. */
export function factorProblem(error: unknown, code: TextCode): string | undefined {
  if (!error || isCancelled(error)) return undefined;
  if (error instanceof ApiError && error.status === 401) return textOf("not_authenticated");
  return serviceMessage(error) || textOf(code);
}
