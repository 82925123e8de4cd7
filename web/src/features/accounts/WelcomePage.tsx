// The first page after a confirmed sign-up.
import { Link } from "@tanstack/react-router";
import { WordsPage } from "../../ui/WordsPage.tsx";

export function WelcomePage() {
  return (
    <WordsPage name="WELCOME" words={<p>Good to have you with the collective.</p>}>
      <Link to="/releases" className="key border-ink uppercase hover:bg-ink hover:text-ground">
        Explore Releases
      </Link>
      <Link to="/" className="key uppercase">
        Go To Home
      </Link>
    </WordsPage>
  );
}
