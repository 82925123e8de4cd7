// The queue beside the desk: unheard demos, the oldest first, then the others.
import { useSelector } from "@tanstack/react-store";
import { createContext, Fragment, memo, use, useCallback, useMemo } from "react";
import { day } from "../../../../ui/dates.ts";
import { useNow } from "../../../../ui/useNow.ts";
import { type Choice, ChooseBox, useChoice } from "../../lists/choice.tsx";
import { RowList } from "../../lists/RowList.tsx";
import { emptyText } from "../../lists/useRows.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { daysSince, isDecided, isOverdue, stateName } from "../deskTypes.ts";
import { lengthText } from "../player/SoundFacts.tsx";
import { createPending, type Pending, withPending } from "../steps.ts";
import { BulkDecline } from "./BulkDecline.tsx";
import { QueueFilters } from "./QueueFilters.tsx";

export function Queue() {
  const { desk, actions, listeners, summary, open } = useDeskState();
  const { rows, address, id } = desk;
  const { asked } = address;
  const choice = useChoice(rows.pages, { q: JSON.stringify(asked) });
  const draw = useCallback((demo: DeskDemo) => <QueueRow demo={demo} choice={choice} />, [choice]);
  const now = useNow();
  const { pending } = actions;
  const overdueDays = summary?.settings.overdue_days;
  const context = useMemo(
    () => ({ id, listeners, now, overdueDays, pending, open }),
    [id, listeners, now, overdueDays, pending, open],
  );
  const isNarrowed = Object.keys(asked).length > 0;
  return (
    <section aria-label="Queue">
      <QueueFilters />
      <BulkDecline choice={choice} />
      <QueueContext value={context}>
        <RowList
          label="Demos"
          rows={rows}
          draw={draw}
          loadFailed="demos_load_failed"
          empty={
            isNarrowed && !asked.q ? "Nothing found" : emptyText(asked, "No demo has come in yet")
          }
        />
      </QueueContext>
    </section>
  );
}

interface QueueState {
  id: string | undefined;
  listeners: ReadonlyMap<string, readonly string[]>;
  now: number;
  overdueDays: number | undefined;
  pending: Pending;
  open: (id: string) => void;
}

/** Kept out of the rows' props, so that a new page renders only its own rows. */
const QueueContext = createContext<QueueState>({
  id: undefined,
  listeners: new Map(),
  now: 0,
  overdueDays: undefined,
  pending: createPending(),
  open: () => undefined,
});

const QueueRow = memo(function QueueRow({ demo: row, choice }: { demo: DeskDemo; choice: Choice }) {
  const { id: here, listeners, now, overdueDays, pending, open } = use(QueueContext);
  const patches = useSelector(pending, (all) => all.get(row.id));
  const demo = withPending(row, patches);
  const { id, artist_name: name, state, my_score: score, tags, sound } = demo;
  const isHere = id === here;
  const others = listeners.get(id);
  return (
    <div
      className={`relative grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-3 px-gutter py-2.5 text-[0.75rem] hover:bg-ink/4 ${
        isHere ? "bg-ink/8" : ""
      }`}
    >
      <ChooseBox choice={choice} id={id} name={name} className="relative z-1" />
      <div className="min-w-0">
        <button
          type="button"
          aria-current={isHere || undefined}
          // Covers the whole row, below its checkbox.
          className="type-card block max-w-full truncate text-left -outline-offset-2 before:absolute before:inset-0 before:content-['']"
          onClick={() => open(id)}
        >
          {isHere && <span aria-hidden="true" className="block-cursor mr-2 text-signal" />}
          <bdi>{name}</bdi>
        </button>
        <p className="flex gap-x-3 text-dim">
          <bdi className="min-w-0 truncate">{demo.original_name}</bdi>
          <span className="flex-none tabular-nums empty:hidden">
            {sound.state === "failed" && (
              <>
                <span aria-hidden="true">× </span>Not measured
              </>
            )}
            {sound.state === "done" && lengthText(sound)}
          </span>
        </p>
        <p className="empty:hidden">{answerText(demo)}</p>
        {tags.length > 0 && (
          <p className="truncate text-dim">
            {tags.map((tag, at) => (
              <Fragment key={tag}>
                {at > 0 && ", "}
                <bdi>{tag}</bdi>
              </Fragment>
            ))}
          </p>
        )}
        {others && <p className="truncate text-signal">{others.join(", ")} listening</p>}
      </div>
      <p className="text-right text-dim tabular-nums">
        <span className={state === "new" ? "text-ink" : ""}>
          {state === "new" ? daysSince(demo.submitted_at, now) : stateName(state)}
        </span>
        {isOverdue(demo, overdueDays, now) && <span className="block text-signal">Overdue</span>}
        {patches && <span className="block">Saving…</span>}
        {score !== null && <span className="block text-ink">{score}/5</span>}
      </p>
    </div>
  );
});

/** A decision that was not answered stands out. */
function answerText({ state, answered_at }: DeskDemo) {
  if (answered_at !== null) return <span className="text-dim">Answered {day(answered_at)}</span>;
  return isDecided(state) ? "Not answered" : null;
}
