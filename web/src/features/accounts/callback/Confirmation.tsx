// A confirmation link from its opening to the next page.
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { apiError, call } from "../../../api/client.ts";
import { CALLBACK_ERROR_MAX, CONFIRMED_REDIRECT_MS } from "../../../rules/generated/constants.ts";
import { type Rules, withRules } from "../../../rules/rules.ts";
import { confirmSignup } from "../../../session/signupState.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { Button } from "../../../ui/Button.tsx";
import { LinkButton } from "../../../ui/LinkButton.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { PageHead } from "../../../ui/PageHead.tsx";
import { takeFocus } from "../../../ui/takeFocus.ts";
import { isOwnLink, LinkQuestion, LoginButton, lookAtLink } from "../link/LinkQuestion.tsx";
import type { MailedLink } from "../mailedLink.ts";
import { redirectTo } from "../redirectTo.ts";
import { useOnce } from "../useOnce.ts";
import { useRedirectAfter } from "../useRedirectAfter.ts";

type Start = ReturnType<Rules["callback"]>;

export function Confirmation({ link }: { link: MailedLink }) {
  const { user } = useAuth();
  const [tries, setTries] = useState(1);
  // Decided once: the session gained by redeeming must not turn a success into something else.
  const [start] = useState(() => startOf(link, user !== null));
  switch (start.state) {
    case "redeem":
      return <SignupLink key={tries} token={start.token} onTryAgain={() => setTries(tries + 1)} />;
    case "already_confirmed":
      return <AlreadyConfirmed />;
    case "error":
      return <CallbackFailed text={start.message} />;
  }
}

/**
 * The rules' reading of the address. Without them the server judges the token, even an empty one, as it has the words.
 */
export function startOf({ fragment, query, type, token }: MailedLink, hasSession: boolean): Start {
  const decided = withRules((rules) => rules.callback(fragment, query, hasSession));
  if (decided) return decided;
  const described =
    new URLSearchParams(fragment.slice(1)).get("error_description") ||
    new URLSearchParams(query).get("error_description");
  if (described) return { state: "error", message: described.slice(0, CALLBACK_ERROR_MAX) };
  if (type === "signup" && token) return { state: "redeem", token };
  return hasSession ? { state: "already_confirmed" } : { state: "redeem", token: "" };
}

interface SignupLinkProps {
  token: string;
  onTryAgain: () => void;
}

/** The link is inspected first: in a browser that did not sign up nothing happens before a click. */
function SignupLink({ token, onTryAgain }: SignupLinkProps) {
  const look = useOnce(() => lookAtLink("signup", token));
  const [isAgreed, setAgreed] = useState(false);
  if (look.at === "pending") return <CallbackLoading />;
  if (look.at === "failed") return <Failed error={look.error} onTryAgain={onTryAgain} />;
  if (look.value.used) return <AlreadyConfirmed />;
  if (isAgreed || isOwnLink(look.value)) {
    return <Redeeming token={token} onTryAgain={onTryAgain} />;
  }
  return <LinkQuestion view={look.value} onGo={() => setAgreed(true)} />;
}

function Redeeming({ token, onTryAgain }: SignupLinkProps) {
  const { adopt, enter } = useAuth();
  const outcome = useOnce(async () => {
    const confirmed = await enter(() => call("POST", "/api/auth/confirm", { body: { token } }));
    if (confirmed.session) {
      confirmSignup();
      adopt(confirmed.session);
    }
    return confirmed;
  });
  if (outcome.at === "pending") return <CallbackLoading />;
  if (outcome.at === "failed") return <Failed error={outcome.error} onTryAgain={onTryAgain} />;
  if (outcome.value.status === "already_confirmed") return <AlreadyConfirmed />;
  return outcome.value.session ? <Success /> : <ConfirmedElsewhere />;
}

/** A refusal is final. After any other failure the link is as good as before, and can be tried again. */
function Failed({ error, onTryAgain }: { error: unknown; onTryAgain: () => void }) {
  const isFinal = !apiError(error).isTransient;
  return <CallbackFailed text={failureText(error)} onTryAgain={isFinal ? undefined : onTryAgain} />;
}

const NAME = "EMAIL CONFIRMATION";

/** The server's words, or ours if it had none. */
export function failureText(error: unknown): string {
  return apiError(error).said ?? messageText("callback_unexpected");
}

export function CallbackLoading() {
  return (
    <>
      <PageHead name={NAME} />
      <Notice busy>Confirming your email...</Notice>
    </>
  );
}

function Success() {
  useRedirectAfter("/auth/welcome", CONFIRMED_REDIRECT_MS);
  return (
    <Outcome said="Email confirmed!" more="Your account is open. Taking you in...">
      <Link to="/auth/welcome" className="button button-outline">
        Go on
      </Link>
    </Outcome>
  );
}

/** Confirmed in a browser that did not sign up: a link signs no one in there. */
function ConfirmedElsewhere() {
  const { user } = useAuth();
  const more = user
    ? `You are signed in here as ${user.email}. Log out to use the new account.`
    : "You can log in now.";
  return (
    <Outcome said="Email confirmed!" more={more}>
      {user ? <ReturnHome /> : <LoginButton />}
    </Outcome>
  );
}

function AlreadyConfirmed() {
  useRedirectAfter("/", CONFIRMED_REDIRECT_MS);
  return (
    <Outcome
      said="Your email is already confirmed."
      more="There is nothing left to do. Taking you home..."
    >
      <ReturnHome />
    </Outcome>
  );
}

function Outcome({ said, more, children }: { said: string; more: string; children: ReactNode }) {
  const message = (
    // Takes the focus, as the heading is that of the question before.
    <div ref={takeFocus} tabIndex={-1} role="status" className="outline-none">
      <p>{said}</p>
      <p className="text-dim">{more}</p>
    </div>
  );
  return (
    <MessagePage name={NAME} message={message}>
      {children}
    </MessagePage>
  );
}

interface CallbackFailedProps {
  text: string;
  /** Present if another try may succeed. */
  onTryAgain?: (() => void) | undefined;
}

export function CallbackFailed({ text, onTryAgain }: CallbackFailedProps) {
  return (
    <MessagePage
      name={NAME}
      message={
        <p role="alert" className="text-signal">
          {text}
        </p>
      }
    >
      {onTryAgain && (
        <Button variant="main" onClick={onTryAgain}>
          Try again
        </Button>
      )}
      <Button variant={onTryAgain ? "outline" : "main"} onClick={() => void askAndResend()}>
        Resend Confirmation
      </Button>
      <ReturnHome />
    </MessagePage>
  );
}

export function ReturnHome() {
  return <LinkButton to="/">Return Home</LinkButton>;
}

/** Asks for the address by the browser's prompt, and reports by its alert, as specified. */
async function askAndResend(): Promise<void> {
  const email = window.prompt("Please enter your email address:")?.trim();
  if (!email) return;
  try {
    await call("POST", "/api/auth/resend", {
      body: { email, type: "signup", redirect_to: redirectTo("/auth/callback") },
    });
    window.alert(messageText("callback_resent"));
  } catch {
    window.alert(messageText("callback_resend_failed"));
  }
}
