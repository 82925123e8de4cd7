// The terminal's place.
import { WordsPage } from "../../ui/WordsPage.tsx";

export function TerminalPage() {
  return (
    <WordsPage
      name="TERMINAL"
      words={
        <p>
          Ask the label about its artists and releases. The line opens soon.{" "}
          <span aria-hidden="true" className="block-cursor blink" />
        </p>
      }
    />
  );
}
