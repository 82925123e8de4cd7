// What is decided about a demo: a score of one's own, a state, and the way on.
import { DeskKey } from "../DeskKey.tsx";
import type { DemoState, DeskDemo } from "../deskTypes.ts";

interface JudgementProps {
  demo: DeskDemo;
  onScore: (score: number) => void;
  onJudge: (state: DemoState) => void;
  onReply: () => void;
  onNote: () => void;
  onNext: () => void;
  onPrevious: () => void;
}

const SCORES = [1, 2, 3, 4, 5];

export function Judgement(props: JudgementProps) {
  const { demo, onScore, onJudge, onReply, onNote, onNext, onPrevious } = props;
  const { state, my_score: mine, scores } = demo;
  return (
    <section
      aria-label="Judgement"
      className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-4 lg:grid-cols-[minmax(16rem,2fr)_repeat(5,minmax(0,1fr))] [&_.button]:min-h-12 [&_.button]:w-full [&_.button]:border-0 [&_.button]:-outline-offset-4"
    >
      <fieldset className="col-span-full flex lg:col-span-1" aria-describedby="desk-scores">
        <legend className="sr-only">Score</legend>
        {SCORES.map((score) => (
          <button
            key={score}
            type="button"
            aria-pressed={mine === score}
            aria-label={`Score ${score}`}
            aria-keyshortcuts={`Shift+${score}`}
            className={`button justify-center tabular-nums ${
              mine !== null && score <= mine ? "button-main" : ""
            }`}
            onClick={() => onScore(score)}
          >
            {score}
          </button>
        ))}
      </fieldset>
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
        <DeskKey shortcut="R" onClick={onReply}>
          Reply
        </DeskKey>
      </div>
      <div>
        <DeskKey shortcut="E" onClick={onNote}>
          Note
        </DeskKey>
      </div>
      <p
        id="desk-scores"
        className="type-label col-span-2 flex flex-wrap items-center gap-x-4 px-gutter py-2 text-dim lg:col-span-4"
      >
        {mine === null
          ? "The others' scores show once yours is given"
          : (scores ?? []).length > 1
            ? scores?.map(({ person, score }) => (
                <span key={person}>
                  <span className="normal-case">{person}</span>{" "}
                  <span className="text-ink tabular-nums">{score}</span>
                </span>
              ))
            : "Nobody else has scored it yet"}
      </p>
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
