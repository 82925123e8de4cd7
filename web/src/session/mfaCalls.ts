// The calls of the second factor. Their answers have a shape of their own, refusals included; here those become
// `ApiError`s as everywhere else.
import { ApiError, refusal } from "../api/client.ts";
import { ask, send } from "../api/send.ts";
import { MFA_RETRY_MS } from "../rules/generated/constants.ts";
import { withRules } from "../rules/rules.ts";

interface MfaAnswer {
  status: string;
  code: string;
  message: string;
  request_id: string;
}

export type MfaOperation =
  | { action: "generate_secret" }
  | { action: "enable_mfa"; mfaSecret: string; totpCode: string }
  | { action: "disable_mfa"; totpCode: string }
  | { action: "regenerate_recovery_codes"; totpCode: string }
  | { action: "verify_mfa"; totpCode: string };

/** One call of mfa-operations; throws `ApiError` with the answer's code and message unless its status is ok. */
export async function mfaOperation<Answer = object>(
  operation: MfaOperation,
  requestId: string = crypto.randomUUID(),
): Promise<MfaAnswer & Answer> {
  const { response, body } = await ask("POST", "/api/auth/mfa-operations", {
    body: { ...operation, request_id: requestId },
    headers: { "x-request-id": requestId },
  });
  if (!isMfaAnswer(body)) throw refusal(response.status, body, response.headers);
  if (body.status === "ok") return body as MfaAnswer & Answer;
  const { code, message, ...rest } = body;
  throw refusal(response.status, { ...rest, code, detail: message }, response.headers);
}

/**
 * Verifies an authenticator code for this session. Where no answer arrives it is tried once more, under the same
 * request id, so that the server takes both for one try.
 */
export async function verifyTotp(totpCode: string): Promise<void> {
  const requestId = crypto.randomUUID();
  const verify = () => mfaOperation({ action: "verify_mfa", totpCode }, requestId);
  await verify().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !isWorthRetrying(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, MFA_RETRY_MS));
    await verify();
  });
}

/** Has an e-mail code sent to the account's address. */
export async function sendRecoveryCode(): Promise<void> {
  await send("POST", "/api/auth/mfa-recovery", { body: { action: "send_recovery_code" } });
}

/** Whether an e-mail code or a recovery code is right; if so it counts as the second factor. */
export async function verifyRecoveryCode(recoveryCode: string): Promise<boolean> {
  const answer = await send<{ valid: boolean }>("POST", "/api/auth/mfa-recovery", {
    body: { action: "verify_recovery_code", recoveryCode },
  });
  return answer.valid;
}

function isWorthRetrying(error: ApiError): boolean {
  const code = error.status === 0 ? null : error.code;
  return withRules((rules) => rules.mfaShouldRetry(code, 0)) ?? code === null;
}

function isMfaAnswer(body: unknown): body is MfaAnswer {
  const { status, code } = Object(body) as Partial<MfaAnswer>;
  return typeof status === "string" && typeof code === "string";
}
