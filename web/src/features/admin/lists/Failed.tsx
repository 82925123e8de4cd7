// What stands in the place of something that could not be read.
import { textOf } from "../../../rules/words.ts";

/** Says why, with a way to try again. */
export function Failed({ code, onRetry }: { code: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-6 px-gutter py-16">
      <p className="type-lead text-signal">{textOf(code)}</p>
      <button type="button" className="key type-label uppercase" onClick={onRetry}>
        Try Again
      </button>
    </div>
  );
}
