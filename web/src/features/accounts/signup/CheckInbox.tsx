// After a sign-up: where the link was sent, and how to send it again.

import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { resetSignupState, useSignupState } from "../../../session/signupState.ts";
import { Button } from "../../../ui/Button.tsx";
import { LinkButton } from "../../../ui/LinkButton.tsx";
import { takeFocus } from "../../../ui/takeFocus.ts";
import { resendConfirmation } from "./sendSignup.ts";
import { useWaits, waitLabel } from "./useWaits.ts";

/** `isFresh` right after the form; later the address is masked. */
export function CheckInbox({ isFresh }: { isFresh: boolean }) {
  const { email } = useSignupState();
  useRules();
  const shown = isFresh ? email : withRules((rules) => rules.maskedEmail(email));
  const { resendSeconds } = useWaits();
  const resend = useSingleMutation({ mutationFn: resendConfirmation });
  return (
    <>
      <div
        ref={isFresh ? takeFocus : undefined}
        tabIndex={-1}
        role="status"
        className="type-lead outline-none col-span-12 flex flex-col gap-4 lg:col-span-6 lg:col-start-4"
      >
        <p>
          We sent a confirmation link to{" "}
          <span className="font-[700] [overflow-wrap:anywhere]">{shown ?? "your address"}</span>.
          Open it to finish your sign-up.
        </p>
        <p className="text-dim">Nothing there? Have a look in the spam folder.</p>
      </div>
      <div className="col-span-12 flex flex-col gap-5 lg:col-span-6 lg:col-start-4">
        {resend.data && (
          <p
            role={resend.data.isError ? "alert" : "status"}
            className={resend.data.isError ? "text-signal" : ""}
          >
            {resend.data.text}
          </p>
        )}
        <div className="type-label flex flex-wrap gap-3">
          <Button
            variant="main"
            className="tabular-nums"
            isBusy={resendSeconds > 0 || resend.isPending}
            onClick={() => resend.mutate()}
          >
            {resendSeconds > 0 ? `Resend in ${waitLabel(resendSeconds)}` : "Resend Confirmation"}
          </Button>
          <LinkButton to="/">Home</LinkButton>
          <Button onClick={resetSignupState}>Sign Up Again</Button>
        </div>
      </div>
    </>
  );
}
