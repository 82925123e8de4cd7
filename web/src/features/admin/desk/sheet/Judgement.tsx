// What is decided about a demo, and the way on.
import { DeskKey } from "../DeskKey.tsx";
import type { DemoState } from "../deskTypes.ts";

interface JudgementProps {
  state: DemoState;
  onJudge: (state: DemoState) => void;
  onNext: () => void;
  onPrevious: () => void;
}

export function Judgement({ state, onJudge, onNext, onPrevious }: JudgementProps) {
  return (
    <section
      aria-label="Judgement"
      className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-5 [&_.button]:min-h-12 [&_.button]:w-full [&_.button]:border-0 [&_.button]:-outline-offset-4"
    >
      <StateKey shortcut="S" state="shortlisted" now={state} onJudge={onJudge}>
        Shortlist
      </StateKey>
      <StateKey shortcut="D" state="declined" now={state} onJudge={onJudge}>
        Decline
      </StateKey>
      <StateKey shortcut="A" state="accepted" now={state} onJudge={onJudge}>
        Accept
      </StateKey>
      <div>
        <DeskKey shortcut="P" onClick={onPrevious}>
          Previous
        </DeskKey>
      </div>
      <div>
        <DeskKey shortcut="N" onClick={onNext}>
          Next
        </DeskKey>
      </div>
    </section>
  );
}

interface StateKeyProps {
  shortcut: string;
  state: DemoState;
  now: DemoState;
  onJudge: (state: DemoState) => void;
  children: string;
}

function StateKey({ shortcut, state, now, onJudge, children }: StateKeyProps) {
  return (
    <div>
      <DeskKey
        shortcut={shortcut}
        aria-pressed={state === now}
        variant={state === now ? "main" : undefined}
        onClick={() => onJudge(state)}
      >
        {children}
      </DeskKey>
    </div>
  );
}
