import { Button } from "../../ui/Button.tsx";
import { takeFocus } from "../../ui/takeFocus.ts";

interface GivingUpProps {
  onGoOn: () => void;
  onGiveUp: () => void;
}

export function GivingUp({ onGoOn, onGiveUp }: GivingUpProps) {
  return (
    // Not a dialog, which would trap the focus: a question beside the upload.
    // biome-ignore lint/a11y/useSemanticElements: a question with its answers, not fields of a form
    <div
      role="group"
      aria-labelledby="giving-up"
      className="flex flex-col gap-4 md:flex-row md:items-center md:justify-between"
    >
      <p id="giving-up">The upload is not finished. Cancel it?</p>
      <div className="type-label flex flex-wrap gap-3">
        <Button
          // The harmless answer gets the focus.
          ref={takeFocus}
          size="large"
          className="flex-1 whitespace-nowrap"
          onClick={onGoOn}
        >
          CONTINUE UPLOAD
        </Button>
        <Button
          variant="destroy"
          size="large"
          className="flex-1 whitespace-nowrap"
          onClick={onGiveUp}
        >
          CANCEL UPLOAD
        </Button>
      </div>
    </div>
  );
}
