// The calls that change the second factor, and the words for their failures.
import { ApiError } from "../../api/client.ts";
import { messageText, type TextCode } from "../../ui/messages.ts";
import { isCancelled, withChallenges } from "../challenge.ts";
import { type MfaOperation, mfaOperation } from "../mfaCalls.ts";
import { wordsFor } from "../wordsFor.ts";

export interface Secret {
  secret: string;
  /** An otpauth address. */
  qrCodeUrl: string;
  /** The secret in groups, for typing. */
  manualEntryKey: string;
}

const AIM = "change your two-factor authentication";

/** Makes a call, after the password if the server demands it. */
function changeFactor(operation: MfaOperation) {
  return withChallenges(() => mfaOperation(operation), AIM);
}

/** Creates a secret, which counts from its first code on. */
export async function generateSecret(): Promise<Secret> {
  const { secret, qrCodeUrl, manualEntryKey } = await changeFactor({ action: "generate_secret" });
  if (!secret || !qrCodeUrl || !manualEntryKey) throw noPart("secret");
  return { secret, qrCodeUrl, manualEntryKey };
}

/** Completes a set-up with the secret's first code. Resolves to the recovery codes. */
export function enableFactor(mfaSecret: string, totpCode: string): Promise<readonly string[]> {
  return codesOf({ action: "enable_mfa", mfaSecret, totpCode });
}

/** Creates new recovery codes; the old ones are void. */
export function regenerateCodes(totpCode: string): Promise<readonly string[]> {
  return codesOf({ action: "regenerate_recovery_codes", totpCode });
}

export async function disableFactor(totpCode: string): Promise<void> {
  await changeFactor({ action: "disable_mfa", totpCode });
}

async function codesOf(operation: MfaOperation): Promise<readonly string[]> {
  const { recovery_codes } = await changeFactor(operation);
  if (!recovery_codes) throw noPart("recovery_codes");
  return recovery_codes;
}

/** All operations share one answer type, with optional parts. */
function noPart(name: string): ApiError {
  return new ApiError(0, { detail: `an answer without ${name}` });
}

/** The words for a failed change; undefined if there is no failure to show. */
export function factorProblem(error: unknown, code: TextCode): string | undefined {
  if (!error || isCancelled(error)) return undefined;
  const byStatus = { 401: messageText("not_authenticated") };
  return wordsFor(error, messageText(code), { byStatus });
}
