// Deletes the account, in two steps.
import { useState } from "react";
import { call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { isCancelled, withChallenges } from "../../../session/challenge.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { Button } from "../../../ui/Button.tsx";
import { onEscape } from "../../../ui/onEscape.ts";
import { takeFocus } from "../../../ui/takeFocus.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { ProfileSection } from "./ProfileSection.tsx";

export function DangerSection() {
  const [isAsking, setAsking] = useState(false);
  const { leaveForGood } = useAuth();
  const terminate = useSingleMutation({
    mutationFn: () =>
      withChallenges(
        () => leaveForGood(() => call("DELETE", "/api/auth/account")),
        "delete your account",
      ),
    onSuccess: () => toastSuccess("account_terminated"),
    onError: (error) => {
      if (!isCancelled(error)) toastError("termination_failed");
    },
  });
  return (
    <ProfileSection
      name="DANGER ZONE"
      about="Your profile, your avatar, your sessions and your sign-in go for good."
    >
      {isAsking ? (
        // biome-ignore lint/a11y/useSemanticElements: a question with its answers, not fields of a form
        <div
          role="group"
          aria-labelledby="termination"
          className="flex flex-col gap-5 border border-signal p-gutter"
          onKeyDown={onEscape(() => {
            if (!terminate.isPending) setAsking(false);
          })}
        >
          <p id="termination" className="type-lead">
            Delete this account? This cannot be undone.
          </p>
          <div className="type-label flex flex-wrap gap-3">
            <Button
              variant="destroy"
              isBusy={terminate.isPending}
              onClick={() => terminate.mutate()}
            >
              {terminate.isPending ? "Deleting..." : "Yes, delete my account"}
            </Button>
            <Button
              // The harmless answer gets the focus.
              ref={takeFocus}
              isBusy={terminate.isPending}
              onClick={() => setAsking(false)}
            >
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <Button
          data-focus-home
          variant="destroy"
          className="self-start"
          onClick={() => setAsking(true)}
        >
          Delete Account
        </Button>
      )}
    </ProfileSection>
  );
}
