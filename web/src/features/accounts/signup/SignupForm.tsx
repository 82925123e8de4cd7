// The sign-up form. Input survives a reload, except the password.
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { SIGNUP_PASSWORD_MIN } from "../../../rules/generated/constants.ts";
import { withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import {
  settleClock,
  signupState,
  updateSignupState,
  useSignupState,
} from "../../../session/signupState.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmailField, PasswordField, UsernameField } from "../../../ui/Field.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { messageText } from "../../../ui/messages.ts";
import { NeedsScript } from "../../../ui/NeedsScript.tsx";
import { takeFocusIn } from "../../../ui/takeFocus.ts";
import { useClock } from "../../../ui/useClock.ts";
import { isBlocked, sendSignup } from "../signUp.ts";

/** Keeps input, but never over the address of a sign-up that waits for confirmation. */
function keepTyped(typed: { email?: string; username?: string }): void {
  if (!signupState().success) updateSignupState(typed);
}

/** `isFresh` if it replaces the inbox notice. */
export function SignupForm({ isFresh }: { isFresh: boolean }) {
  const { submitSeconds } = useWaits();
  const { email, username } = signupState();
  const form = useRulesForm({
    // Sent as typed: the server normalises it the same way.
    check: (rules, typed) => mapChecked(rules.checkSignup(typed), () => typed),
    blank: { email, username, password: "" },
    send: async (typed) => {
      if (isBlocked(Date.now())) {
        form.setProblem(messageText("signup_blocked"));
        return;
      }
      const failure = await sendSignup(typed);
      if (failure && !form.showRefusal(failure)) form.setProblem(failure.text);
    },
  });
  const isWaiting = submitSeconds > 0;
  return (
    <>
      <p className="type-lead col-span-12 max-w-[34ch] text-balance lg:col-span-3">
        One account for the label, under a name of your own.
      </p>
      <form
        // The pressed button is gone: typing begins again.
        ref={isFresh ? takeFocusIn : undefined}
        noValidate
        // Submitted before the app is ready, a form would put its input into the address; this method sends nothing.
        method="dialog"
        aria-label="Sign up"
        className="col-span-12 flex flex-col gap-6 lg:col-span-6 lg:col-start-4"
        onSubmit={form.onSubmit}
      >
        <EmailField
          required
          {...form.field("email", {
            onChange: (event) => keepTyped({ email: event.target.value }),
          })}
        />
        <UsernameField
          hint="Optional. Left empty, it is made from your email address."
          {...form.field("username", {
            onChange: (event) => keepTyped({ username: event.target.value }),
          })}
        />
        <PasswordField
          label="Password"
          required
          autoComplete="new-password"
          hint={`Minimum ${SIGNUP_PASSWORD_MIN} characters required`}
          {...form.field("password")}
        />
        <NeedsScript className="text-signal">Signing up needs JavaScript.</NeedsScript>
        <FormProblem>{form.problem}</FormProblem>
        <Button
          type="submit"
          isBusy={isWaiting || form.isSending}
          variant="main"
          size="large"
          className="tabular-nums"
        >
          {isWaiting
            ? `Try again in ${waitLabel(submitSeconds)}`
            : form.isSending
              ? "Signing up..."
              : "Sign Up"}
        </Button>
        <p className="type-label flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Link
            to="/"
            search={{ dialog: "login" }}
            className="inline-flex min-h-7 items-center uppercase hover:underline"
          >
            Already have an account? Log in
          </Link>
          <Link to="/" className="inline-flex min-h-7 items-center uppercase hover:underline">
            Back to Home
          </Link>
        </p>
      </form>
    </>
  );
}

/** Seconds until each is possible; 0 if it is. */
export function useWaits(): { submitSeconds: number; resendSeconds: number } {
  const { cooldownUntil, resendUsedAt } = useSignupState();
  useRules();
  const waits = (at: number) =>
    withRules((rules) => ({
      submitSeconds: rules.remainingSeconds(cooldownUntil, at),
      resendSeconds: rules.resendWaitSeconds(resendUsedAt || undefined, at),
    })) ?? { submitSeconds: 0, resendSeconds: 0 };
  const atFirst = waits(Date.now());
  const now = useClock(atFirst.submitSeconds > 0 || atFirst.resendSeconds > 0);
  useEffect(() => settleClock(now), [now]);
  return waits(now);
}

/** Seconds as the buttons show them: `59s`, `14m 30s`, `2h 5m`. */
export function waitLabel(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
  return seconds < 100 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}
