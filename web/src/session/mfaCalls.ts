// The calls of the second factor. Their answers and refusals have a special shape, which becomes an `ApiError` here.
import { type Answer, ApiError, apiError, ask, call, heed, refusal } from "../api/client.ts";
import { randomName } from "../api/idempotencyKey.ts";
import type { components } from "../api/types/api.ts";
import { MFA_RETRY_MS, RECOVERY_RESEND_MS } from "../rules/generated/constants.ts";
import { withRules } from "../rules/rules.ts";
import { messageText, type TextCode } from "../ui/messages.ts";
import { isCancelled, withChallenges } from "./challenge.ts";
import { wordsFor } from "./wordsFor.ts";

type MfaOperation = components["schemas"]["OperationBody"];

type MfaAnswer = Answer<"POST", "/api/auth/mfa-operations">;

/** One call of mfa-operations. Throws `ApiError` with the answer's code and message unless its status is ok. */
async function mfaOperation(
  operation: MfaOperation,
  requestId: string = randomName(),
): Promise<MfaAnswer> {
  const { response, data, error } = await ask("POST", "/api/auth/mfa-operations", {
    body: { ...operation, request_id: requestId },
    headers: { "x-request-id": requestId },
  });
  const answer = data ?? error;
  if (!isMfaAnswer(answer)) throw heed(refusal(response.status, answer, response.headers));
  if (answer.status === "ok") return answer;
  const { message, ...rest } = answer;
  throw heed(refusal(response.status, { ...rest, detail: message }, response.headers));
}

/**
 * Verifies an authenticator code for this session. Without an answer it is repeated once under the same request id, so
 * that the server counts one try.
 */
export async function verifyTotp(totpCode: string): Promise<void> {
  const requestId = randomName();
  await retriedOnce(() => mfaOperation({ action: "verify_mfa", totpCode }, requestId));
}

/** Sends an email code to the account's address. */
export async function sendRecoveryCode(): Promise<void> {
  const body = { action: "send_recovery_code" } as const;
  let tries = 0;
  await retriedOnce(async () => {
    tries += 1;
    try {
      await call("POST", "/api/auth/mfa-recovery", { body });
    } catch (error) {
      // The first try had arrived, but its answer got lost: one code a minute is sent. A longer wait is another limit's.
      const wait = apiError(error).retryAfterSeconds ?? Number.POSITIVE_INFINITY;
      if (tries === 1 || wait > RECOVERY_RESEND_MS / 1_000) throw error;
    }
  });
}

/**
 * Whether an email code or a recovery code is right; if so, it counts as the second factor. Repeated as in `verifyTotp`.
 */
export async function verifyRecoveryCode(recoveryCode: string): Promise<boolean> {
  const body = {
    action: "verify_recovery_code",
    recoveryCode,
    request_id: randomName(),
  } as const;
  const { valid } = await retriedOnce(() => call("POST", "/api/auth/mfa-recovery", { body }));
  return valid === true;
}

/** Repeats a call once, after a second, if no answer arrived. */
async function retriedOnce<Answered>(make: () => Promise<Answered>): Promise<Answered> {
  try {
    return await make();
  } catch (error) {
    if (!isWorthRetrying(apiError(error))) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, MFA_RETRY_MS));
  return make();
}

function isWorthRetrying(error: ApiError): boolean {
  const code = error.isSilence ? null : error.code;
  return withRules((rules) => rules.mfaShouldRetry(code, 0)) ?? code === null;
}

/** True for the special shape; a problem's status is a number. */
function isMfaAnswer(answer: object | undefined): answer is MfaAnswer {
  const { status, code } = Object(answer) as Partial<MfaAnswer>;
  return typeof status === "string" && typeof code === "string";
}

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
