// What stands in the place of something that could not be read.
import { type TextCode, textOf } from "../../../rules/words.ts";
import { Button } from "../../../ui/Button.tsx";

/** Says why, with a way to try again. */
export function Failed({ code, onRetry }: { code: TextCode; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-6 px-gutter py-16">
      <p className="type-lead text-signal">{textOf(code)}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}
