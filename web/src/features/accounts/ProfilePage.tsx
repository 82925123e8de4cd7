// The place of a signed-in person's own page.
import { WordsPage } from "../../ui/WordsPage.tsx";

export function ProfilePage() {
  return <WordsPage name="PROFILE" words={<p>Profiles open together with accounts, soon.</p>} />;
}
