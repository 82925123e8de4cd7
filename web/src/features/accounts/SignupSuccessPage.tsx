// The page after a sign-up in the dialog: a mail is on its way, or was confirmed.
import { LinkButton } from "../../ui/LinkButton.tsx";
import { MessagePage } from "../../ui/MessagePage.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Confirmed } from "./signup/Confirmed.tsx";
import { useInbox } from "./signup/useInbox.ts";

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
