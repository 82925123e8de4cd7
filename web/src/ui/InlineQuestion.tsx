import { Button } from "./Button.tsx";
import { onEscape } from "./onEscape.ts";

interface InlineQuestionProps {
  question: string;
  /** The harmless answer, which gets the focus. Escape gives it too. */
  keep: string;
  onKeep: () => void;
  destroy: string;
  onDestroy: () => void;
  isBusy?: boolean;
  className?: string;
}

/** A question in place of the button that asked it: unlike a dialog, it leaves the page within reach. */
export function InlineQuestion({
  question,
  keep,
  onKeep,
  destroy,
  onDestroy,
  isBusy = false,
  className = "",
}: InlineQuestionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with its answers, not fields of a form
    <div
      role="group"
      aria-label={question}
      className={`flex flex-col gap-4 ${className}`}
      onKeyDown={onEscape(() => {
        if (!isBusy) onKeep();
      })}
    >
      <p>{question}</p>
      <div className="type-label flex flex-wrap gap-3">
        <Button
          // Also where the asker stays, such as CLOSE.
          autoFocus
          size="large"
          className="flex-auto sm:flex-none"
          isBusy={isBusy}
          onClick={onKeep}
        >
          {keep}
        </Button>
        <Button
          variant="destroy"
          size="large"
          className="flex-auto sm:flex-none"
          isBusy={isBusy}
          // The second press of a double click was meant for the button that asked.
          onClick={({ detail }) => detail <= 1 && onDestroy()}
        >
          {destroy}
        </Button>
      </div>
    </div>
  );
}
