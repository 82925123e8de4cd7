// Sets a new password, typed twice; it ends every other session of the account.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiError, call } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { ChallengeCancelled, withChallenges } from "../../../session/challenge.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField, ProblemsTogether } from "../../../ui/Field.tsx";
import { FormProblem } from "../../../ui/FormLine.tsx";
import { takeFocusIn } from "../../../ui/takeFocus.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { ProfileSection } from "./ProfileSection.tsx";
import { sessionsQuery } from "./sessionsQuery.ts";

const FIELDS = ["password", "confirm_password"] as const;

const LINK_TOO_OLD =
  "Your link counted for 10 minutes. Log out and use LOGIN, then Forgot password?, for a new one.";

interface PasswordSectionProps {
  email: string;
  /** True after a reset link. */
  isAtHand: boolean;
}

export function PasswordSection({ email, isAtHand }: PasswordSectionProps) {
  const { adopt } = useAuth();
  const client = useQueryClient();
  const [isDone, setDone] = useState(false);
  const isByLink = isAtHand && !isDone;
  const form = useRulesForm({
    check: (rules, typed) => mapChecked(rules.checkPasswordChange(typed), () => typed),
    blank: { password: "", confirm_password: "" },
    async send(typed) {
      try {
        adopt(
          await withChallenges(
            () => call("PUT", "/api/auth/password", { body: typed }).catch(explainLate),
            "set a new password",
          ),
        );
        void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        setDone(true);
        form.clearSubmitted();
        toastSuccess("password_updated");
      } catch (error) {
        fail(error);
      }
    },
    onInvalid: ([problem]) => toastError("security_error", problem?.message),
  });

  /** After a reset link the question would be for the forgotten password. */
  function explainLate(error: unknown): never {
    if (!isByLink || apiError(error).code !== "reauthentication_needed") throw error;
    form.setProblem(LINK_TOO_OLD);
    throw new ChallengeCancelled();
  }

  function refuse(field: string, message: string): void {
    form.showRefusal({ fields: { [field]: message } });
    toastError("security_error", message);
  }

  function fail(error: unknown): void {
    const field = FIELDS.find((name) => wordsForField(error, name));
    if (field) refuse(field, wordsForField(error, field) ?? "");
    else toastFailure(error, "password_exception");
  }

  return (
    <ProfileSection
      name="PASSWORD"
      about={
        isByLink
          ? "Your link was accepted. Choose the new password now."
          : "A new password signs out every other browser."
      }
    >
      <form
        ref={isAtHand ? takeFocusIn : undefined}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={form.onSubmit}
      >
        {/* Tells the password manager whose password this is. */}
        <input hidden readOnly type="text" autoComplete="username" value={email} />
        <ProblemsTogether value={true}>
          <PasswordField
            label="New Password"
            aria-required
            autoComplete="new-password"
            {...form.field("password")}
          />
          <PasswordField
            label="Confirm Password"
            aria-required
            autoComplete="new-password"
            {...form.field("confirm_password")}
          />
        </ProblemsTogether>
        <FormProblem>{form.problem}</FormProblem>
        <Button type="submit" isBusy={form.isSending} variant="main" className="self-start">
          {form.isSending ? "Updating..." : "Update Password"}
        </Button>
      </form>
    </ProfileSection>
  );
}
