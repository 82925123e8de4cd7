// Changes the account's address. The new one counts once its link was opened.
import { call } from "../../../api/client.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { challengeFirst, withChallenges } from "../../../session/challenge.ts";
import { type Profile, useProfileChanges } from "../../../session/profileQuery.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { EmailField } from "../../../ui/Field.tsx";
import { onEscape } from "../../../ui/onEscape.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { InlineButtons } from "./InlineButtons.tsx";

const AIM = "change your email address";

export function EmailEdit({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { readAgain } = useProfileChanges();
  const isMounted = useIsMounted();
  const form = useRulesForm({
    check: (rules, { email }) =>
      mapChecked(rules.checkEmailChange(email, profile.email), (address) => ({ email: address })),
    unchecked: (typed) => typed,
    blank: { email: profile.pending_email ?? profile.email },
    async send({ email }) {
      try {
        // The address is the way back into the account: a second factor is demanded each time.
        if (profile.mfa_enabled) await challengeFirst("factor", AIM);
        await withChallenges(
          () => call("POST", "/api/auth/email-change", { body: { email } }),
          AIM,
        );
        toastSuccess("email_update_initiated");
        if (form.hasMore()) form.reopenSent({ email });
        // If it was closed and reopened, the form belongs to newer input.
        else if (isMounted()) onClose();
        void readAgain();
      } catch (error) {
        fail(error);
      }
    },
    onInvalid: ([problem]) => toastError("validation_error", problem?.message),
  });

  function refuse(message: string): void {
    form.showRefusal({ fields: { email: message } });
    toastError("validation_error", message);
  }

  function fail(error: unknown): void {
    const broken = wordsForField(error, "email");
    if (broken) refuse(broken);
    else toastFailure(error, "email_exception");
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.onSubmit}
      onKeyDown={onEscape(onClose)}
    >
      <EmailField
        autoFocus
        aria-required
        hint="A link goes to the new address; it counts once that is opened. The old address is told."
        {...form.field("email")}
      />
      <InlineButtons isBusy={form.isSending} onCancel={onClose} />
    </form>
  );
}
