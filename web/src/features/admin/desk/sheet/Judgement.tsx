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

/**
 * Scores, states and what follows from them stand beside each other where every word has room: by the width of the sheet, which counts
 * larger letters too.
 */
const ONE_ROW = {
  grid: "@min-[57rem]:grid-cols-[minmax(16rem,2fr)_repeat(5,minmax(0,1fr))]",
  cell: "@min-[57rem]:col-span-1",
  below: "@min-[57rem]:col-span-4 @min-[57rem]:row-start-2",
} as const;

/** Three in a row, and four, or two where there is less room. */
const THIRD = `col-span-4 ${ONE_ROW.cell}`;
const QUARTER = `col-span-6 @min-[40rem]:col-span-3 ${ONE_ROW.cell}`;

export function Judgement(props: JudgementProps) {
  const { demo, onScore, onJudge, onReply, onNote, onNext, onPrevious } = props;
  const { state, my_score: mine } = demo;
  return (
    <div className="@container">
      <section
        aria-label="Judgement"
        className={`grid-cells grid-cols-12 border-hairline border-b ${ONE_ROW.grid} [&_.button]:min-h-12 [&_.button]:w-full [&_.button]:border-0 [&_.button]:-outline-offset-4`}
      >
        <fieldset className={`col-span-full flex ${ONE_ROW.cell}`} aria-describedby="desk-scores">
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
        <p
          id="desk-scores"
          className={`type-label col-span-full flex flex-wrap items-center gap-x-4 px-gutter py-2 text-dim ${ONE_ROW.below}`}
        >
          <Scores demo={demo} />
        </p>
        <StateKey shortcut="S" state="shortlisted" now={state} onJudge={onJudge}>
          Shortlist
        </StateKey>
        <StateKey shortcut="D" state="declined" now={state} onJudge={onJudge}>
          Decline
        </StateKey>
        <StateKey shortcut="A" state="accepted" now={state} onJudge={onJudge}>
          Accept
        </StateKey>
        <div className={QUARTER}>
          <DeskKey shortcut="R" onClick={onReply}>
            Reply
          </DeskKey>
        </div>
        <div className={QUARTER}>
          <DeskKey shortcut="E" onClick={onNote}>
            Note
          </DeskKey>
        </div>
        <div className={QUARTER}>
          <DeskKey shortcut="P" onClick={onPrevious}>
            Previous
          </DeskKey>
        </div>
        <div className={QUARTER}>
          <DeskKey shortcut="N" onClick={onNext}>
            Next
          </DeskKey>
        </div>
      </section>
    </div>
  );
}

/** What the others think, once one's own score is saved. */
function Scores({ demo: { my_score, scores } }: { demo: DeskDemo }) {
  if (my_score === null) return <span>The others' scores show once yours is given</span>;
  if (scores === null) return <span>The others' scores show once yours is saved</span>;
  if (scores.length <= 1) return <span>Nobody else has scored it yet</span>;
  return scores.map(({ person, score }) => (
    <span key={person}>
      <span className="normal-case">{person}</span>{" "}
      <span className="text-ink tabular-nums">{score}</span>
    </span>
  ));
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
    <div className={THIRD}>
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
