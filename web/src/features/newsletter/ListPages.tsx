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

/** As in the served documents. */
const TITLES = {
  confirm: "Confirm your address",
  confirmed: "You are on the list",
  expired: "This link is no longer good",
  leave: "Leave the list",
  left: "YOU ARE OFF THE LIST.",
  back: "You are back on the list",
  late: "That was too long ago",
  failed: "Not available",
};

const FAILED_HEADING = "THAT DID NOT WORK.";
const FAILED = <p role="alert">It may have been done all the same. Try it again in a moment.</p>;

/** The step that the server put into the page; the first one if the app itself came here. */
function useStep<Step extends keyof typeof TITLES>(first: Step, others: readonly Step[]): Step {
  const served = useQueryClient().getQueryData(["/newsletter/step"]);
  const [step] = useState(() => others.find((one) => one === served) ?? first);
  useDocumentTitle(TITLES[step]);
  return step;
}

export function ConfirmPage() {
  const step = useStep("confirm", ["confirmed", "expired", "failed"]);
  if (step === "confirmed") {
    return (
      <MessagePage
        name="YOU ARE ON THE LIST."
        message={<p role="status">Your address is confirmed. Every letter says how to leave.</p>}
      >
        <BackLink to="/">Return to Home</BackLink>
      </MessagePage>
    );
  }
  if (step === "expired") {
    return (
      <MessagePage
        name="NO LONGER GOOD"
        message={
          <p>
            This link is no longer good: it was used up, or is older than 30 days. Subscribe again,
            and another one comes.
          </p>
        }
      >
        <BackLink to="/">Subscribe Again</BackLink>
      </MessagePage>
    );
  }
  const isFailed = step === "failed";
  return (
    <MessagePage
      name={isFailed ? FAILED_HEADING : CONFIRM_HEADING}
      message={isFailed ? FAILED : <p>{CONFIRM_SENTENCE}</p>}
    >
      <PostForm>
        <Button type="submit" variant="main" size="large">
          {CONFIRM_BUTTON}
        </Button>
      </PostForm>
    </MessagePage>
  );
}

export function LeavePage() {
  const step = useStep("leave", ["left", "back", "late", "failed"]);
  switch (step) {
    case "left":
      return (
        <MessagePage
          name="YOU ARE OFF THE LIST."
          message={<p role="status">No more letters go to this address.</p>}
        >
          <WayBack />
          <BackLink to="/">Return to Home</BackLink>
        </MessagePage>
      );
    case "back":
      return (
        <MessagePage
          name="YOU ARE BACK ON THE LIST."
          message={<p role="status">Everything is as it was.</p>}
        >
          <BackLink to="/">Return to Home</BackLink>
        </MessagePage>
      );
    case "late":
      return (
        <MessagePage
          name="TOO LATE"
          message={
            <p role="status">That works for a minute. You can subscribe again at any time.</p>
          }
        >
          <BackLink to="/">Subscribe Again</BackLink>
        </MessagePage>
      );
    case "failed":
      return (
        <MessagePage name={FAILED_HEADING} message={FAILED}>
          <WayOut />
          <WayBack />
        </MessagePage>
      );
    default:
      return (
        <MessagePage
          name="LEAVE THE LIST?"
          message={<p>One press, and no more letters come to this address.</p>}
        >
          <WayOut />
        </MessagePage>
      );
  }
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
