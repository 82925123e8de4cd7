// The end of the account. It takes two steps, and then there is no way back.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../../api/send.ts";
import { isCancelled, withChallenges } from "../../../session/challenge.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { takeFocus } from "../../../ui/takeFocus.ts";
import { ProfileSection } from "./ProfileSection.tsx";
import { sayDone, sayError } from "./sayFailure.ts";
import { useFocusBack } from "./useFocusBack.ts";

export function DangerSection() {
  const [isAsking, setAsking] = useState(false);
  const opener = useFocusBack(isAsking);
  const { leaveForGood } = useAuth();
  const terminate = useMutation({
    mutationFn: () =>
      withChallenges(
        () => leaveForGood(() => send("DELETE", "/api/auth/account")),
        "delete your account",
      ),
    onSuccess: () => sayDone("account_terminated"),
    onError: (error) => {
      if (!isCancelled(error)) sayError("termination_failed");
    },
  });
  return (
    <ProfileSection
      name="DANGER ZONE"
      about="Your profile, your avatar, your sessions and your sign-in go for good."
    >
      {isAsking ? (
        <div className="flex flex-col gap-5 border border-signal p-gutter">
          <p className="type-lead">Delete this account? This cannot be undone.</p>
          <div className="type-label flex flex-wrap gap-3">
            <button
              type="button"
              className="key key-destroy uppercase"
              disabled={terminate.isPending}
              onClick={() => terminate.mutate()}
            >
              {terminate.isPending ? "Deleting..." : "Yes, delete my account"}
            </button>
            <button
              // The harmless answer is the one at hand.
              ref={takeFocus}
              type="button"
              className="key uppercase"
              disabled={terminate.isPending}
              onClick={() => setAsking(false)}
            >
              Cancel
            </button>
          </div>
        </div>
      ) : (
        <button
          ref={opener}
          type="button"
          className="key key-destroy type-label self-start uppercase"
          onClick={() => setAsking(true)}
        >
          Delete Account
        </button>
      )}
    </ProfileSection>
  );
}
