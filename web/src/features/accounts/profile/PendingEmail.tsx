// A change of address that waits for its confirmation: sent again, or called off.
import { useMutation } from "@tanstack/react-query";
import { serviceMessage } from "../../../api/client.ts";
import { send } from "../../../api/send.ts";
import { isCancelled, withChallenges } from "../../../session/challenge.ts";
import { useProfileChanges } from "../../../session/profileQuery.ts";
import { Button } from "../../../ui/Button.tsx";
import { Fact } from "../../../ui/Facts.tsx";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { sayDone, sayError } from "./sayFailure.ts";

const CHANGE_URL = "/api/auth/email-change";
const AIM = "change your email address";

export function PendingEmail({ email }: { email: string }) {
  const { readAgain } = useProfileChanges();
  const onError = (error: Error) => {
    if (isCancelled(error)) return;
    const refused = serviceMessage(error);
    if (refused) sayError("update_failed", refused);
    else sayError("email_exception");
  };
  const resend = useMutation({
    mutationFn: () => withChallenges(() => send("POST", `${CHANGE_URL}/resend`), AIM),
    onSuccess: () => sayDone("email_update_initiated"),
    onError,
    // It may have been confirmed or called off elsewhere.
    onSettled: readAgain,
  });
  const callOff = useMutation({
    mutationFn: () => withChallenges(() => send("DELETE", CHANGE_URL), AIM),
    onSuccess: () => showToast({ title: "EMAIL UPDATE CALLED OFF" }),
    onError,
    onSettled: readAgain,
  });
  const isBusy = resend.isPending || callOff.isPending;
  return (
    <Fact
      name="Waiting for confirmation"
      keys={
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
