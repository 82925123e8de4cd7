import { CommandButton } from "../CommandButton.tsx";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { COMMANDS } from "../keys/commands.ts";

const SCORES = [1, 2, 3, 4, 5];

/** Everything in two rows where each label has room, by the width of the sheet: that also allows for large letters. */
const ONE_ROW = {
  grid: "@min-[57rem]:grid-cols-[minmax(16rem,2fr)_repeat(5,minmax(0,1fr))]",
  cell: "@min-[57rem]:col-span-1",
  below: "@min-[57rem]:col-span-4 @min-[57rem]:row-start-2",
} as const;

const THIRD = `col-span-4 ${ONE_ROW.cell}`;
const QUARTER = `col-span-6 @min-[40rem]:col-span-3 ${ONE_ROW.cell}`;

const STATES = [
  ["shortlist", "shortlisted"],
  ["decline", "declined"],
  ["accept", "accepted"],
] as const;

export function Judgement({ demo }: { demo: DeskDemo }) {
  const { run } = useDeskState();
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
              onClick={() => run({ id: "score", value: score })}
            >
              {score}
            </button>
          ))}
        </fieldset>
        <p
          id="desk-scores"
          className={`type-label col-span-full flex flex-wrap items-center gap-x-4 px-gutter py-2 text-dim ${ONE_ROW.below}`}
        >
          <span aria-hidden="true" className="border-current border-r pr-4 max-sm:hidden">
            {COMMANDS.score.key}
          </span>
          <Scores demo={demo} />
        </p>
        {STATES.map(([command, given]) => (
          <div key={command} className={THIRD}>
            <CommandButton
              command={command}
              aria-pressed={state === given}
              variant={state === given ? "main" : undefined}
            />
          </div>
        ))}
        {(["reply", "note", "previous", "next"] as const).map((command) => (
          <div key={command} className={QUARTER}>
            <CommandButton command={command} />
          </div>
        ))}
      </section>
    </div>
  );
}

function Scores({ demo: { my_score, scores } }: { demo: DeskDemo }) {
  if (my_score === null) return <span>The others' scores show once yours is given</span>;
  if (scores === null) return <span>The others' scores show once yours is saved</span>;
  if (scores.length <= 1) return <span>No one else has scored it yet</span>;
  return scores.map(({ person, score }) => (
    <span key={person}>
      <span className="normal-case">{person}</span>{" "}
      <span className="text-ink tabular-nums">{score}</span>
    </span>
  ));
}
