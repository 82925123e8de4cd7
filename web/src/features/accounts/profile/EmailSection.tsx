// The account's address, and one that waits for confirmation.
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { mapChecked, useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { challengeFirst, withChallenges } from "../../../session/challenge.ts";
import { type Profile, useProfileChanges } from "../../../session/profileQuery.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact, FactList } from "../../../ui/Facts.tsx";
import { EmailField } from "../../../ui/Field.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { InlineEdit } from "./InlineEdit.tsx";
import { ProfileSection } from "./ProfileSection.tsx";

export function EmailSection({ profile, onChange }: { profile: Profile; onChange: () => void }) {
  return (
    <ProfileSection
      name="EMAIL CONFIGURATION"
      about="Links, codes and notices about your account go to this address."
    >
      <FactList>
        <Fact
          name="Current address"
          actions={
            <Button data-focus-home onClick={onChange}>
              Change Email
            </Button>
          }
        >
          {profile.email}
        </Fact>
        {profile.pending_email && <PendingEmail email={profile.pending_email} />}
      </FactList>
    </ProfileSection>
  );
}

const AIM = "change your email address";

function PendingEmail({ email }: { email: string }) {
  const { readAgain } = useProfileChanges();
  const onError = (error: Error) => toastFailure(error, "email_exception");
  const resend = useSingleMutation({
    mutationFn: () => withChallenges(() => call("POST", "/api/auth/email-change/resend"), AIM),
    onSuccess: () => toastSuccess("email_update_initiated"),
    onError,
    // It may have been confirmed or cancelled elsewhere.
    onSettled: readAgain,
  });
  const callOff = useSingleMutation({
    mutationFn: () => withChallenges(() => call("DELETE", "/api/auth/email-change"), AIM),
    onSuccess: () => showToast({ title: "EMAIL UPDATE CALLED OFF" }),
    onError,
    onSettled: readAgain,
  });
  const isBusy = resend.isPending || callOff.isPending;
  return (
    <Fact
      name="Waiting for confirmation"
      actions={
        <>
          <Button isBusy={isBusy} onClick={() => resend.mutate()}>
            Send link again
          </Button>
          <Button isBusy={isBusy} onClick={() => callOff.mutate()}>
            Call off
          </Button>
        </>
      }
    >
      <span className="[overflow-wrap:anywhere]">{email}</span>
      <p className="mt-1 text-[0.8125rem] text-dim">
        Open the link that was sent to it. Until then your address stays as it is.
      </p>
    </Fact>
  );
}

export function EmailEdit({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { readAgain } = useProfileChanges();
  const isMounted = useIsMounted();
  const form = useRulesForm({
    check: (rules, { email }) =>
      mapChecked(rules.checkEmailChange(email, profile.email), (address) => ({ email: address })),
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
        if (form.hasChangedSince()) form.resetSubmitted({ email });
        // If it was closed and reopened, the form belongs to newer input.
        else if (isMounted()) onClose();
        void readAgain();
      } catch (error) {
        const broken = wordsForField(error, "email");
        if (!broken) {
          toastFailure(error, "email_exception");
          // Only the answer may be lost.
          void readAgain();
          return;
        }
        form.showRefusal({ fields: { email: broken } });
        toastError("validation_error", broken);
      }
    },
    onInvalid: ([problem]) => toastError("validation_error", problem?.message),
  });

  return (
    <InlineEdit form={form} onClose={onClose}>
      <EmailField
        autoFocus
        aria-required
        hint="A link goes to the new address; it counts once that is opened. The old address is told."
        {...form.field("email")}
      />
    </InlineEdit>
  );
}
