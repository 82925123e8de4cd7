// The sign-up of the dialog and of the page: one call, and the browser's record of its outcome.
import { apiError, call } from "../../api/client.ts";
import { withRules } from "../../rules/rules.ts";
import { recordSignupEvent } from "../../session/signupEvents.ts";
import { updateSignupState } from "../../session/signupState.ts";
import { redirectTo } from "./redirectTo.ts";

interface Signup {
  email: string;
  password: string;
  data?: { username: string; full_name?: string };
}

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
  updateSignupState({ email: signup.email, success: true, cooldownUntil: 0 });
}

/** The rules' reading of a failed sign-up: its text, and how long to wait. */
export function judgeSignupError(error: unknown) {
  const { isSilence, status, said, retryAfterSeconds } = apiError(error);
  // Browsers name a failed fetch in many ways; one word stands for all of them.
  const message = isSilence ? "network" : (said ?? "");
  return withRules((rules) =>
    rules.signupError(isSilence ? undefined : status, message, retryAfterSeconds),
  );
}
