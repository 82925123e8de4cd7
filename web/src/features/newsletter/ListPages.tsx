// The pages behind the links of newsletters: to confirm a subscription, and to leave. Their buttons post to the page's own
// address, so they work without scripts; the server answers with the next page.
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import {
  COME_BACK_MS,
  CONFIRM_BUTTON,
  CONFIRM_HEADING,
  CONFIRM_SENTENCE,
} from "../../rules/generated/constants.ts";
import { Button } from "../../ui/Button.tsx";
import { MessagePage } from "../../ui/MessagePage.tsx";
import { BackLink } from "../../ui/MissingPage.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";

const HOME = <BackLink to="/">Return to Home</BackLink>;
const AGAIN = <BackLink to="/">Subscribe Again</BackLink>;

/** The titles are those of the served documents. Steps without links offer the form again. */
const STEPS = {
  confirm: {
    title: "Confirm your address",
    name: CONFIRM_HEADING,
    message: <p>{CONFIRM_SENTENCE}</p>,
    links: undefined,
  },
  confirmed: {
    title: "You are on the list",
    name: "YOU ARE ON THE LIST.",
    message: <p role="status">Your address is confirmed. Every letter says how to leave.</p>,
    links: HOME,
  },
  expired: {
    title: "This link is no longer good",
    name: "NO LONGER GOOD",
    message: (
      <p>
        This link is no longer good: it was used up, or is older than 30 days. Subscribe again, and
        another one comes.
      </p>
    ),
    links: AGAIN,
  },
  leave: {
    title: "Leave the list",
    name: "LEAVE THE LIST?",
    message: <p>One press, and no more letters come to this address.</p>,
    links: <WayOut />,
  },
  left: {
    title: "YOU ARE OFF THE LIST.",
    name: "YOU ARE OFF THE LIST.",
    message: <p role="status">No more letters go to this address.</p>,
    links: (
      <>
        <WayBack />
        {HOME}
      </>
    ),
  },
  back: {
    title: "You are back on the list",
    name: "YOU ARE BACK ON THE LIST.",
    message: <p role="status">Everything is as it was.</p>,
    links: HOME,
  },
  late: {
    title: "That was too long ago",
    name: "TOO LATE",
    message: <p role="status">That works for a minute. You can subscribe again at any time.</p>,
    links: AGAIN,
  },
  failed: {
    title: "Not available",
    name: "THAT DID NOT WORK.",
    message: <p role="alert">It may have been done all the same. Try it again in a moment.</p>,
    links: undefined,
  },
};

interface StepPageProps {
  first: keyof typeof STEPS;
  others: readonly (keyof typeof STEPS)[];
  /** To try it, and again. */
  children: ReactNode;
}

/** The step that the server put into the page; the first one if the app itself came here. */
function StepPage({ first, others, children }: StepPageProps) {
  const served = useQueryClient().getQueryData(["/newsletter/step"]);
  const [step] = useState(() => others.find((one) => one === served) ?? first);
  const { title, name, message, links = children } = STEPS[step];
  useDocumentTitle(title);
  return (
    <MessagePage name={name} message={message}>
      {links}
    </MessagePage>
  );
}

export function ConfirmPage() {
  return (
    <StepPage first="confirm" others={["confirmed", "expired", "failed"]}>
      <PostForm>
        <Button type="submit" variant="main" size="large">
          {CONFIRM_BUTTON}
        </Button>
      </PostForm>
    </StepPage>
  );
}

export function LeavePage() {
  return (
    <StepPage first="leave" others={["left", "back", "late", "failed"]}>
      <WayOut />
      <WayBack />
    </StepPage>
  );
}

function WayOut() {
  return (
    <PostForm>
      <Button type="submit" variant="main" size="large">
        LEAVE THE LIST
      </Button>
    </PostForm>
  );
}

/** Shown for as long as coming back works. */
function WayBack() {
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(false), COME_BACK_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isOpen) return null;
  return (
    <PostForm>
      <Button type="submit" name="come_back" value="yes" size="large">
        COME BACK
      </Button>
    </PostForm>
  );
}

function PostForm({ children }: { children: ReactNode }) {
  return <form method="post">{children}</form>;
}
