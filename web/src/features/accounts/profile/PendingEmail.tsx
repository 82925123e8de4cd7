// A change of address that waits for confirmation: its link can be sent again, or the change cancelled.
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { withChallenges } from "../../../session/challenge.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import { toastFailure } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact } from "../../../ui/Facts.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";

const AIM = "change your email address";

export function PendingEmail({ email }: { email: string }) {
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
