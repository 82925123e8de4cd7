// The states of the confirmation page.

import { Link } from "@tanstack/react-router";
import { apiError, call } from "../../../api/client.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { Button } from "../../../ui/Button.tsx";
import { LinkButton } from "../../../ui/LinkButton.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { messageText } from "../../../ui/messages.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { PageHead } from "../../../ui/PageHead.tsx";
import { LoginButton } from "../link/LoginButton.tsx";
import { redirectTo } from "../redirectTo.ts";

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

export function CallbackSuccess() {
  return (
    <MessagePage
      name={NAME}
      message={
        <div role="status">
          <p>Email confirmed!</p>
          <p className="text-dim">Your account is open. Taking you in...</p>
        </div>
      }
    >
      <Link to="/auth/welcome" className="button button-outline">
        Go on
      </Link>
    </MessagePage>
  );
}

/** Confirmed in a browser that did not sign up: a link signs no one in there. */
export function CallbackConfirmedElsewhere() {
  const { user } = useAuth();
  return (
    <MessagePage
      name={NAME}
      message={
        <div role="status">
          <p>Email confirmed!</p>
          <p className="text-dim">
            {user
              ? `You are signed in here as ${user.email}. Log out to use the new account.`
              : "You can log in now."}
          </p>
        </div>
      }
    >
      {user ? <ReturnHome /> : <LoginButton />}
    </MessagePage>
  );
}

export function CallbackAlreadyConfirmed() {
  return (
    <MessagePage
      name={NAME}
      message={
        <div role="status">
          <p>Your email is already confirmed.</p>
          <p className="text-dim">There is nothing left to do. Taking you home...</p>
        </div>
      }
    >
      <ReturnHome />
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
