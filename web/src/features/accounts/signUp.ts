// The sign-up of the dialog and of the page: one call, and the browser's record of its outcome.
import { apiError, call, type Schemas } from "../../api/client.ts";
import { SIGNUP_BUSY } from "../../rules/generated/constants.ts";
import { withRules } from "../../rules/rules.ts";
import { recordSignupEvent } from "../../session/signupEvents.ts";
import { signupState, updateSignupState } from "../../session/signupState.ts";
import { messageText } from "../../ui/messages.ts";
import { redirectTo } from "./redirectTo.ts";

type Signup = Omit<Schemas["SignUpBody"], "redirect_to">;

/** Makes an account that waits for its confirmation. Throws `ApiError`. `attempts` is the number of submits so far, if counted. */
export async function signUp(signup: Signup, attempts?: number): Promise<void> {
  const about = { email: signup.email, ...(attempts !== undefined && { attempts }) };
  recordSignupEvent("signup_attempt", about);
  try {
    await call("POST", "/api/auth/sign-up", {
      body: { ...signup, redirect_to: redirectTo("/auth/callback") },
    });
  } catch (error) {
    const judged = judgeSignupError(error);
    if (judged?.rate_limited) {
      const retryAfter = judged.cooldown_seconds;
      recordSignupEvent("signup_rate_limited", { ...about, retryAfter });
    } else {
      recordSignupEvent(apiError(error).isSilence ? "signup_exception" : "signup_error", about);
    }
    throw error;
  }
  recordSignupEvent("signup_success", about);
  updateSignupState({ email: signup.email, success: true, confirmed: false, cooldownUntil: 0 });
}

/** The rules' reading of a failed sign-up: its text, and how long to wait. */
function judgeSignupError(error: unknown) {
  const { isSilence, status, said, retryAfterSeconds } = apiError(error);
  // Browsers name a failed fetch in many ways; one word stands for all of them.
  const message = isSilence ? "network" : (said ?? "");
  return withRules((rules) =>
    rules.signupError(isSilence ? undefined : status, message, retryAfterSeconds),
  );
}

/** A failure as the form shows it: a line, or messages of fields. */
interface SignupFailure {
  text: string;
  fields: Readonly<Record<string, string>>;
}

/** Whether earlier submits block the next one. */
export function isBlocked(now: number): boolean {
  const { attempts, lastAttempt } = signupState();
  return (
    withRules((rules) => rules.signupIsBlocked(attempts, lastAttempt || undefined, now)) ?? false
  );
}

/** Sends a sign-up that the rules accepted. Every submit counts, and every refusal starts a wait. */
export async function sendSignup({
  email,
  password,
  username,
}: Record<"email" | "password" | "username", string>): Promise<SignupFailure | undefined> {
  try {
    await signUp(
      { email, password, ...(username && { data: { username } }) },
      countSubmit(Date.now()),
    );
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

function countSubmit(now: number): number {
  const { attempts, lastAttempt } = signupState();
  const counted = withRules((rules) =>
    rules.signupAttemptsAfterSubmit(attempts, lastAttempt || undefined, now),
  );
  updateSignupState({ attempts: counted?.attempts ?? attempts + 1, lastAttempt: now });
  return signupState().attempts;
}

function failureOf(error: unknown): SignupFailure {
  const { isSilence, code, said, fields } = apiError(error);
  const judged = judgeSignupError(error);
  if (judged) updateSignupState({ cooldownUntil: Date.now() + judged.cooldown_seconds * 1_000 });
  if (code === "username_taken")
    return { text: "", fields: { username: said ?? messageText("username_taken") } };
  if (Object.keys(fields).length > 0) return { text: "", fields };
  const text = judged?.text ?? (isSilence ? SIGNUP_BUSY : said || messageText("signup_unexpected"));
  return { text, fields };
}

/** Sends the confirmation again, and returns how it went. A failure starts no wait. */
export async function resendConfirmation(): Promise<{ text: string; isError: boolean }> {
  const { email } = signupState();
  let refused = "";
  try {
    await call("POST", "/api/auth/resend", {
      body: { email, type: "signup", redirect_to: redirectTo("/auth/callback") },
    });
  } catch (error) {
    refused = error instanceof Error ? error.message : "unknown";
  }
  const isSent =
    withRules((rules) => rules.resendSucceeded(refused === "", refused)) ?? refused === "";
  recordSignupEvent(isSent ? "resend_success" : "resend_error", { email });
  if (!isSent) return { text: messageText("resend_failed"), isError: true };
  updateSignupState({ resendUsedAt: Date.now() });
  return { text: messageText("callback_resent"), isError: false };
}
