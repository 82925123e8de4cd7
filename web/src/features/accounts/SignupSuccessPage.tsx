// Tells a new member that a mail is on its way.
import { Link } from "@tanstack/react-router";
import { MessagePage } from "../../ui/MessagePage.tsx";

export function SignupSuccessPage() {
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
      <Link to="/" className="button button-outline">
        Return Home
      </Link>
    </MessagePage>
  );
}
