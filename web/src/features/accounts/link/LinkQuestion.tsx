// The question before a mailed link is used in a browser that did not ask for it: whose link it is, and its effect.
// Programs that open links and run scripts get no further.
import type { ReactNode } from "react";
import { call, type Schemas } from "../../../api/client.ts";
import { useAuth } from "../../../session/useAuth.ts";
import { Button } from "../../../ui/Button.tsx";
import { LinkButton } from "../../../ui/LinkButton.tsx";
import { MessagePage } from "../../../ui/MessagePage.tsx";
import { messageText } from "../../../ui/messages.ts";

interface Question {
  name: string;
  about: (address: ReactNode) => ReactNode;
  consequence: string;
  /** The effect on another account that is signed in here. */
  other: (view: LinkView) => string;
  button: string;
}

const STAYS = "That stays so.";

const QUESTIONS: Record<LinkType, Question> = {
  signup: {
    name: "EMAIL CONFIRMATION",
    about: (address) => <>Somebody signed up here as {address}.</>,
    consequence:
      "If it was you, confirm: the account opens with the password you chose. If it was not you, close this page.",
    other: ({ asked_here }) =>
      asked_here ? "Going on signs you in to the new account instead." : STAYS,
    button: "Confirm",
  },
  recovery: {
    name: "NEW PASSWORD",
    about: (address) => <>Somebody asked for a new password for the account of {address}.</>,
    consequence:
      "Going on signs you in to that account here, so that you can choose the password. The link works once.",
    other: () => "Going on signs that account out here.",
    button: "Set a new password",
  },
  email_change: {
    name: "NEW ADDRESS",
    about: (address) => <>Somebody asked for their account to have the address {address}.</>,
    consequence: "If it was you, use this address. If it was not you, close this page.",
    other: () => STAYS,
    button: "Use this address",
  },
};

interface LinkQuestionProps {
  view: LinkView;
  onGo: () => void;
}

export function LinkQuestion({ view, onGo }: LinkQuestionProps) {
  const { user } = useAuth();
  const { name, about, consequence, other, button } = QUESTIONS[view.type];
  return (
    <MessagePage
      name={name}
      message={
        <>
          <p>{about(<Address>{view.email}</Address>)}</p>
          {view.signed_in_as_other && (
            <p>
              {user ? (
                <>
                  You are signed in here as <Address>{user.email}</Address>.
                </>
              ) : (
                "Somebody else is signed in here."
              )}{" "}
              {other(view)}
            </p>
          )}
          <p className="text-dim">{consequence}</p>
        </>
      }
    >
      <Button variant="main" onClick={onGo}>
        {button}
      </Button>
    </MessagePage>
  );
}

function Address({ children }: { children: ReactNode }) {
  return <span className="font-[700] [overflow-wrap:anywhere]">{children}</span>;
}

/** Shown after a reload has forgotten a mailed link: the address bar never kept it. */
export function LinkLeft({ name }: { name: string }) {
  return (
    <MessagePage name={name} message={<p role="alert">{messageText("mailed_link_left")}</p>}>
      <LinkButton to="/">Return Home</LinkButton>
    </MessagePage>
  );
}

export function LoginButton() {
  return (
    <LinkButton to="/" search={{ dialog: "login" }} className="button-main">
      LOGIN
    </LinkButton>
  );
}

export type LinkView = Schemas["LinkView"];
type LinkType = LinkView["type"];

/** Throws `ApiError` for a link that opens nothing. */
export function lookAtLink(type: LinkType, token: string): Promise<LinkView> {
  return call("POST", "/api/auth/link", { body: { type, token } });
}

/** True if the page goes on without a question: this browser asked for the link, and no other account is signed in. */
export function isOwnLink(view: LinkView): boolean {
  return view.asked_here && !view.signed_in_as_other;
}
