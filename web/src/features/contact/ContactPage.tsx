// How to reach the label.
import { WordsPage } from "../../ui/WordsPage.tsx";

export function ContactPage() {
  return (
    <WordsPage
      name="CONTACT US"
      words={<p>Get in touch with the label team. Messages can be sent from here soon.</p>}
    />
  );
}
