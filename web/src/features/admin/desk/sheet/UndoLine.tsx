// What was done last, and the key that takes it back; and why something was not done.
import { useClock } from "../../../../ui/useClock.ts";
import { DeskKey } from "../DeskKey.tsx";
import { ProblemLine } from "../ProblemLine.tsx";
import type { Step } from "../steps.ts";
import type { Actions } from "../useActions.ts";

interface UndoLineProps {
  actions: Actions;
  /** The demo on the desk. */
  here: string;
  onUndo: () => void;
}

export function UndoLine({ actions: { last, problem }, here, onUndo }: UndoLineProps) {
  return (
    <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <div className="min-w-0 flex-1">
        <p role="status">{last && stepText(last)}</p>
        <div role="alert">
          <ProblemLine problem={problem} here={here} />
        </div>
      </div>
      <DeskKey shortcut="U" isBusy={last === undefined} onClick={onUndo}>
        UNDO
        {last?.until !== undefined && <SecondsLeft until={last.until} />}
      </DeskKey>
    </div>
  );
}

function stepText({ isPending, doing = "Saving", what }: Step): string {
  return isPending ? `${doing}…` : what;
}

/** How long it can be taken back. */
function SecondsLeft({ until }: { until: number }) {
  const now = useClock(until);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  return (
    <span className="ml-2 inline-block min-w-[3ch] text-right tabular-nums">
      {seconds}
      <span className="sr-only"> seconds left</span>
    </span>
  );
}
