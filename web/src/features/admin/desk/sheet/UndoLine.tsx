// What was done last, and the key that takes it back; and why something was not done.
import { useClock } from "../../../../ui/useClock.ts";
import { DeskKey } from "../DeskKey.tsx";
import type { DemoState } from "../deskTypes.ts";
import { stateName } from "../states.ts";
import type { Actions } from "../useActions.ts";

interface UndoLineProps {
  actions: Actions;
  /** Where the demo stands. */
  state: DemoState;
  onJudge: (state: DemoState) => void;
  onUndo: () => void;
}

/** Steps back that no key of the judgement takes, as long after it as anybody likes. */
const BACK: readonly DemoState[] = ["heard", "new"];

export function UndoLine({ actions, state, onJudge, onUndo }: UndoLineProps) {
  const { last, problem } = actions;
  const back = state === "new" ? [] : BACK.filter((other) => other !== state);
  return (
    <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <div className="min-w-0 flex-1">
        <p role="status">{last?.what}</p>
        <div role="alert">{problem && <p className="text-signal">{problem}</p>}</div>
      </div>
      {back.map((other) => (
        <button
          key={other}
          type="button"
          className="type-label min-h-6 flex-none text-link uppercase"
          onClick={() => onJudge(other)}
        >
          Back To {stateName(other)}
        </button>
      ))}
      <DeskKey shortcut="U" disabled={last === undefined} onClick={onUndo}>
        UNDO
        {last?.until !== undefined && <SecondsLeft until={last.until} />}
      </DeskKey>
    </div>
  );
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
