// Tells a new member that a mail is on its way.
import { Link } from "@tanstack/react-router";
import { WordsPage } from "../../ui/WordsPage.tsx";

export function SignupSuccessPage() {
  return (
    <WordsPage
      name="CHECK YOUR INBOX"
      words={
        <>
          <p>A link that confirms your email address is on its way to you.</p>
          <p className="text-dim">Nothing there? Have a look in the spam folder.</p>
        </>
      }
    >
      <Link to="/" className="button button-outline">
        Return Home
      </Link>
    </WordsPage>
  );
}
