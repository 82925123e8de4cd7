// The dialog's sign-up: one call, and what the browser keeps of how it went.
import { apiError, call } from "../../../api/client.ts";
import type { SignupDialogInputs } from "../../../rules/forms/inputs.ts";
import { withRules } from "../../../rules/rules.ts";
import { recordSignupEvent } from "../../../session/signupEvents.ts";
import { updateSignupState } from "../../../session/signupState.ts";
import { redirectTo } from "../redirectTo.ts";

/** Makes an account that waits for its confirmation. Throws what the call throws. */
export async function signUp({
  full_name,
  email,
  username,
  password,
}: SignupDialogInputs): Promise<void> {
  recordSignupEvent("signup_attempt", { email });
  try {
    await call("POST", "/api/auth/sign-up", {
      body: {
        email,
        password,
        redirect_to: redirectTo("/auth/callback"),
        data: { username, full_name },
      },
    });
    recordSignupEvent("signup_success", { email });
    // This browser waits for the confirmation, whichever page says so.
    updateSignupState({ email, success: true, cooldownUntil: 0 });
  } catch (error) {
    recordFailure(error, email);
    throw error;
  }
}

function recordFailure(error: unknown, email: string): void {
  const { isSilence, status, said = "", retryAfterSeconds } = apiError(error);
  if (isSilence) {
    recordSignupEvent("signup_exception", { email });
    return;
  }
  const judged = withRules((rules) => rules.signupError(status, said, retryAfterSeconds ?? null));
  if (judged?.rate_limited) {
    recordSignupEvent("signup_rate_limited", { email, retryAfter: judged.cooldown_seconds });
  } else {
    recordSignupEvent("signup_error", { email });
  }
}
