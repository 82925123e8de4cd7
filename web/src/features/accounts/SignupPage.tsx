// The place where accounts are made.
import { Link } from "@tanstack/react-router";
import { WordsPage } from "../../ui/WordsPage.tsx";

export function SignupPage() {
  return (
    <WordsPage name="SIGN UP" words={<p>Access opens soon.</p>}>
      <Link to="/" className="key border-ink uppercase hover:bg-ink hover:text-ground">
        Return to Home
      </Link>
    </WordsPage>
  );
}
