// Links for people who did not ask for what was done in their name. Mail scanners open links too, so nothing happens
// before a click.
import { apiError, call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { Button } from "../../../ui/Button.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { takeFocus } from "../../../ui/takeFocus.ts";
import { LinkLeft } from "../link/LinkQuestion.tsx";
import { failureText, ReturnHome } from "./Confirmation.tsx";

const TAKES_BACK =
  "It also signs everybody out, voids the password and turns off two-factor authentication that was set up lately.";
const TAKEN_BACK =
  "Everybody is signed out and the password no longer works. A mail with a link to a new password is on its way to this address; without it, use LOGIN, then Forgot password?";

const OBJECTIONS = {
  not_me: {
    path: "/api/auth/not-me",
    name: "NOT YOU?",
    question:
      "Somebody signed up here with your email address. If that was not you, one click makes their sign-up void.",
    button: "This was not me",
    done: "Done. That sign-up is void: its link confirms nothing any more. There is nothing else you need to do.",
  },
  email_change_cancel: {
    path: "/api/auth/email-change/cancel",
    name: "NOT YOU?",
    question: `Somebody asked to move your account to another email address. If that was not you, one click stops it. ${TAKES_BACK}`,
    button: "Keep my address",
    done: `Done. The change is cancelled and your account keeps its address. ${TAKEN_BACK}`,
  },
  email_change_undo: {
    path: "/api/auth/email-change/cancel",
    name: "NOT YOU?",
    question: `Your account was moved from this email address to another. If that was not you, one click puts this one back. ${TAKES_BACK}`,
    button: "Put my address back",
    done: `Done. Your account has this address again. ${TAKEN_BACK}`,
  },
  two_factor_undo: {
    path: "/api/auth/email-change/cancel",
    name: "NOT YOU?",
    question: `Two-factor authentication was turned on for your account. If that was not you, one click takes your account back. ${TAKES_BACK}`,
    button: "Take my account back",
    done: `Done. Your account is yours again. ${TAKEN_BACK}`,
  },
} as const;

/** For an objection that came too late, or was repeated. */
const NOTHING_VOIDED =
  "There was nothing left to make void: this link was used before or is too old, or your address was confirmed since. If there is an account with your address that is not yours, take it over: LOGIN, then Forgot password?";

/** For a refused link: the answer to its first use may be lost. */
const USED_BEFORE =
  "If you used this link before, it worked. A mail with a link to a new password went to this address; without it, use LOGIN, then Forgot password?";

type ObjectionKind = keyof typeof OBJECTIONS;

export function isObjection(type: string | undefined): type is ObjectionKind {
  return type !== undefined && Object.hasOwn(OBJECTIONS, type);
}

export function Objection({ kind, token }: { kind: ObjectionKind; token: string }) {
  const { path, name, question, button, done } = OBJECTIONS[kind];
  const object = useSingleMutation({ mutationFn: () => call("POST", path, { body: { token } }) });
  if (object.isSuccess) {
    return (
      <MessagePage
        name={name}
        message={
          // Takes the focus of the pressed button, which is gone.
          <p ref={takeFocus} tabIndex={-1} role="status" className="outline-none">
            {"voided" in object.data && !object.data.voided ? NOTHING_VOIDED : done}
          </p>
        }
      >
        <ReturnHome />
      </MessagePage>
    );
  }
  return (
    <MessagePage
      name={name}
      message={
        <>
          <p>{question}</p>
          {object.isError && (
            <p role="alert" className="text-signal">
              {failureText(object.error)}
            </p>
          )}
          {apiError(object.error).code === "otp_expired" && <p role="alert">{USED_BEFORE}</p>}
        </>
      }
    >
      <Button variant="main" isBusy={object.isPending} onClick={() => object.mutate()}>
        {button}
      </Button>
      <ReturnHome />
    </MessagePage>
  );
}

/** Shown after a reload has forgotten the link. */
export function ObjectionLeft({ kind }: { kind: ObjectionKind }) {
  return <LinkLeft name={OBJECTIONS[kind].name} />;
}
