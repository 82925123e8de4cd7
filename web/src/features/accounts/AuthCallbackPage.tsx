// Where the link of a confirmation mail leads.
import { Link } from "@tanstack/react-router";
import { WordsPage } from "../../ui/WordsPage.tsx";

export function AuthCallbackPage() {
  return (
    <WordsPage
      name="E-MAIL CONFIRMATION"
      words={<p>E-mail addresses are confirmed here. Access opens soon.</p>}
    >
      <Link to="/" className="key border-ink uppercase hover:bg-ink hover:text-ground">
        Return Home
      </Link>
    </WordsPage>
  );
}
