// What stands in the place of something that could not be read.
import { Button } from "../../../ui/Button.tsx";
import { messageText, type TextCode } from "../../../ui/messages.ts";

/** Says why, with a way to try again. */
export function Failed({ code, onRetry }: { code: TextCode; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-6 px-gutter py-16">
      <p className="type-lead text-signal">{messageText(code)}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}
