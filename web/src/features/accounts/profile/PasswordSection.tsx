// Sets a new password, typed twice; it ends every other session of the account.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { withChallenges } from "../../../session/challenge.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField } from "../../../ui/Field.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { ProfileSection } from "./ProfileSection.tsx";
import { sessionsQuery } from "./sessionsQuery.ts";

const FIELDS = ["password", "confirm_password"] as const;

interface PasswordSectionProps {
  email: string;
  /** True after a reset link. */
  isAtHand: boolean;
}

export function PasswordSection({ email, isAtHand }: PasswordSectionProps) {
  const { adopt } = useAuth();
  const client = useQueryClient();
  const [isDone, setDone] = useState(false);
  const form = useRulesForm({
    check: (rules, typed) => mapChecked(rules.checkPasswordChange(typed), () => typed),
    unchecked: (typed) => typed,
    blank: { password: "", confirm_password: "" },
    async send(typed) {
      try {
        adopt(
          await withChallenges(
            () => call("PUT", "/api/auth/password", { body: typed }),
            "set a new password",
          ),
        );
        void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        setDone(true);
        form.clear();
        toastSuccess("password_updated");
      } catch (error) {
        fail(error);
      }
    },
    onInvalid: ([problem]) => toastError("security_error", problem?.message),
  });

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
        isAtHand && !isDone
          ? "Your link was accepted. Choose the new password now."
          : "A new password signs out every other browser."
      }
    >
      <form noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
        {/* Tells the password manager whose password this is. */}
        <input hidden readOnly type="text" autoComplete="username" value={email} />
        <PasswordField
          autoFocus={isAtHand}
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
        <Button type="submit" isBusy={form.isSending} variant="main" className="self-start">
          {form.isSending ? "Updating..." : "Update Password"}
        </Button>
      </form>
    </ProfileSection>
  );
}
