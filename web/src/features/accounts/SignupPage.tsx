// The sign-up page: the form, then the inbox notice, then the confirmation.
import { PageHead } from "../../ui/PageHead.tsx";
import { CheckInbox } from "./signup/CheckInbox.tsx";
import { Confirmed } from "./signup/Confirmed.tsx";
import { SignupForm } from "./signup/SignupForm.tsx";
import { type Inbox, useInbox } from "./signup/useInbox.ts";

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
