// The sign-up page's calls, and the browser's record of them.
import { apiError, call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";
import { recordSignupEvent } from "../../../session/signupEvents.ts";
import { signupState, updateSignupState } from "../../../session/signupState.ts";
import { messageText } from "../../../ui/messages.ts";
import { redirectTo } from "../redirectTo.ts";
import { judgeSignupError, signUp } from "../signUp.ts";

export interface Signup {
  email: string;
  username?: string;
  password: string;
}

/** A failure as the form shows it: a line, or messages of fields. */
export interface SignupFailure {
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
export async function sendSignup(signup: Signup): Promise<SignupFailure | undefined> {
  const { email, password, username } = signup;
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
  const text = judged?.text ?? (isSilence ? "network" : said || messageText("signup_unexpected"));
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
