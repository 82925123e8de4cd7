// The sign-up page: the form, then the inbox notice, then the confirmation.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../api/client.ts";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { SIGN_UP_LOOK_MS } from "../../rules/generated/constants.ts";
import { withRules } from "../../rules/rules.ts";
import { useRules } from "../../rules/useRules.ts";
import {
  confirmSignup,
  forgetSignup,
  resetSignupState,
  signupState,
  useSignupState,
} from "../../session/signupState.ts";
import { useAuth } from "../../session/useAuth.ts";
import { Button } from "../../ui/Button.tsx";
import { FormProblem, FormStatus } from "../../ui/FormLine.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { MessagePage } from "../../ui/MessagePage.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";
import { LoginButton } from "./link/LinkQuestion.tsx";
import { resendConfirmation } from "./signUp.ts";
import { SignupForm, useWaits, waitLabel } from "./signup/SignupForm.tsx";

const NAMES: Record<Inbox, string> = {
  none: "SIGN UP",
  waiting: "CHECK YOUR INBOX",
  confirmed: "EMAIL CONFIRMED",
};

export function SignupPage() {
  const { inbox, isFresh } = useInbox();
  return (
    <>
      <PageHead name={NAMES[inbox]} />
      <div className="grid-sheet flex-1 content-start gap-y-10 py-10 lg:py-14">
        {inbox === "none" && <SignupForm isFresh={isFresh} />}
        {inbox === "waiting" && <CheckInbox isFresh={isFresh} />}
        {inbox === "confirmed" && <Confirmed />}
      </div>
    </>
  );
}

export function SignupSuccessPage() {
  const { inbox } = useInbox();
  if (inbox === "confirmed") {
    return (
      <>
        <PageHead name="EMAIL CONFIRMED" />
        <div className="grid-sheet flex-1 content-start gap-y-10 py-10 lg:py-14">
          <Confirmed />
        </div>
      </>
    );
  }
  return (
    <MessagePage
      name="CHECK YOUR INBOX"
      message={
        <>
          <p>A link that confirms your email address is on its way to you.</p>
          <p className="text-dim">Nothing there? Have a look in the spam folder.</p>
        </>
      }
    >
      <LinkButton to="/" className="button-outline">
        Return Home
      </LinkButton>
    </MessagePage>
  );
}

/** `isFresh` right after the form; later the address is masked. */
function CheckInbox({ isFresh }: { isFresh: boolean }) {
  const { email } = useSignupState();
  useRules();
  const shown = isFresh ? email : withRules((rules) => rules.maskedEmail(email));
  const { resendSeconds } = useWaits();
  const resend = useSingleMutation({ mutationFn: resendConfirmation });
  // It takes the place of the form, whose button is far down on a phone.
  useEffect(() => {
    if (isFresh) window.scrollTo(0, 0);
  }, [isFresh]);
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
        <FormProblem>{resend.data?.isError ? resend.data.text : undefined}</FormProblem>
        <FormStatus>{resend.data?.isError ? undefined : resend.data?.text}</FormStatus>
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

function Confirmed() {
  const { user } = useAuth();
  return (
    <>
      <div
        ref={takeFocus}
        tabIndex={-1}
        role="status"
        className="type-lead outline-none col-span-12 flex flex-col gap-4 lg:col-span-6 lg:col-start-4"
      >
        <p>Email confirmed!</p>
        <p className="text-dim">{user ? "You are signed in." : "You can log in now."}</p>
      </div>
      <div className="type-label col-span-12 flex flex-wrap gap-3 lg:col-span-6 lg:col-start-4">
        {user ? (
          <Link to="/auth/welcome" className="button button-main">
            Go on
          </Link>
        ) : (
          <LoginButton />
        )}
        <LinkButton to="/">Home</LinkButton>
      </div>
    </>
  );
}

const SIGN_UP_URL = "/api/auth/sign-up";

type Inbox = "none" | "waiting" | "confirmed";

/** `isFresh` if the page has just changed to this state. */
function useInbox(): { inbox: Inbox; isFresh: boolean } {
  const { success, confirmed, email, lastAttempt } = useSignupState();
  // A state left by another tab or an earlier visit is not fresh. Read from the browser itself, as a painted page begins
  // without it.
  const [wasDone] = useState(() => signupState().success);
  const [wasWaiting, setWasWaiting] = useState(wasDone);
  if (success && !wasWaiting) setWasWaiting(true);

  const { data } = useQuery({
    queryKey: [SIGN_UP_URL, lastAttempt, email],
    queryFn: ({ signal }) => call("GET", SIGN_UP_URL, { signal }),
    enabled: success,
    staleTime: 0,
    refetchInterval: SIGN_UP_LOOK_MS,
  });
  const status = data?.status;
  useEffect(() => {
    if (status === "confirmed") confirmSignup();
    // The server reports a confirmation once: another tab may have read it.
    if (status === "none" && signupState().success) forgetSignup();
  }, [status]);

  if (success) return { inbox: "waiting", isFresh: !wasDone };
  // A page opened later begins with the form.
  if (wasWaiting && confirmed) return { inbox: "confirmed", isFresh: false };
  return { inbox: "none", isFresh: wasWaiting };
}
