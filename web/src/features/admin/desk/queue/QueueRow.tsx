// A demo in the queue.
import { createContext, Fragment, memo, use, useSyncExternalStore } from "react";
import { day } from "../../../../ui/dates.ts";
import { type Choice, ChooseBox } from "../../lists/choice.tsx";
import type { DeskDemo } from "../deskTypes.ts";
import { createPending, type Pending, withPending } from "../pending.ts";
import { lengthText } from "../player/soundWords.ts";
import { daysSince, isDecided, isOverdue, stateName } from "../states.ts";

interface QueueState {
  id: string | undefined;
  /** The names of the people who listen, by demo. */
  listeners: ReadonlyMap<string, readonly string[]>;
  /** In milliseconds, for the ages of demos. */
  now: number;
  overdueDays: number | undefined;
  pending: Pending;
  open: (id: string) => void;
}

/** Kept out of the rows' props, so that a new page renders only its own rows. */
export const QueueContext = createContext<QueueState>({
  id: undefined,
  listeners: new Map(),
  now: 0,
  overdueDays: undefined,
  pending: createPending(),
  open: () => undefined,
});

export const QueueRow = memo(function QueueRow({
  demo: told,
  choice,
}: {
  demo: DeskDemo;
  choice: Choice;
}) {
  const { id: here, listeners, now, overdueDays, pending, open } = use(QueueContext);
  const patches = useSyncExternalStore(pending.subscribe, () => pending.get().get(told.id));
  const demo = withPending(told, patches);
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
