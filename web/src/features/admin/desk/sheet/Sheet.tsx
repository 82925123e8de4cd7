import { useEffect, useState } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { TextButton } from "../../../../ui/TextButton.tsx";
import { useClock } from "../../../../ui/useClock.ts";
import { useNow } from "../../../../ui/useNow.ts";
import { Answers } from "../answers/Answers.tsx";
import { ComposerForm } from "../answers/ComposerForm.tsx";
import { CommandButton } from "../CommandButton.tsx";
import { useDeskState } from "../deskState.ts";
import { type DemoState, type DeskDemo, daysSince, stateName } from "../deskTypes.ts";
import { Player, Tracks } from "../player/Player.tsx";
import { Judgement } from "./Judgement.tsx";
import { Notes } from "./Notes.tsx";
import { Sender } from "./Sender.tsx";
import { Tags } from "./Tags.tsx";

interface SheetProps {
  demo: DeskDemo;
}

export function Sheet({ demo }: SheetProps) {
  const { composer, sheet, noteField } = useDeskState();
  const { isEdited } = composer;
  const [wasGone] = useState(() => document.activeElement?.closest("[data-gone]") != null);
  // Back by an UNDO: what is typed on goes where it went before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it comes back
  useEffect(() => {
    const field = (isEdited ? sheet : noteField).current?.querySelector("textarea");
    if (!wasGone || !field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return (
    <>
      <SheetHead demo={demo} />
      <Player demo={demo} />
      <Judgement demo={demo} />
      <UndoLine />
      {composer.kind && <ComposerForm key={composer.kind} kind={composer.kind} />}
      <StepBack state={demo.state} />
      <DraftLine demo={demo} />
      <Tracks />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-gutter gap-y-8 px-gutter py-6 lg:grid-cols-2">
        <Sender demo={demo} />
        <div className="flex flex-col gap-8">
          <Answers demo={demo} />
          <Notes key={`notes of ${demo.id}`} demo={demo} />
          <Tags key={`tags of ${demo.id}`} demo={demo} />
        </div>
      </div>
    </>
  );
}

function SheetHead({ demo }: SheetProps) {
  const { desk, listeners } = useDeskState();
  const others = listeners.get(demo.id);
  const days = daysSince(demo.submitted_at, useNow());
  return (
    <header className="flex min-h-28 flex-col justify-end gap-2 px-gutter pt-5 pb-4">
      <p className="type-label flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-dim uppercase">
        <span className="flex items-center gap-2 text-ink">
          <span
            aria-hidden="true"
            className={`block-cursor ${demo.state === "new" ? "text-signal" : ""}`}
          />
          {stateName(demo.state)}
        </span>
        {desk.isPending && <span aria-hidden="true">Saving…</span>}
        <span>Received {days === "today" ? days : `${days} ago`}</span>
        {others && (
          <span className="text-signal normal-case" role="status">
            {others.join(", ")} {others.length === 1 ? "is" : "are"} listening
          </span>
        )}
      </p>
      <h2 className="type-heading">
        <bdi>{demo.artist_name}</bdi>
      </h2>
      <p className="text-dim">
        <bdi>{demo.original_name}</bdi>
      </p>
    </header>
  );
}

function UndoLine() {
  const { last } = useDeskState().actions;
  return (
    <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <div className="min-w-0 flex-1">
        <p role="status" tabIndex={-1} data-focus-home className="outline-none">
          {last && (last.isPending ? `${last.doing ?? "Saving"}…` : last.what)}
        </p>
        <div role="alert">
          <ProblemLine />
        </div>
      </div>
      <CommandButton command="undo" isBusy={last === undefined}>
        UNDO
        {last?.until !== undefined && <SecondsLeft until={last.until} />}
      </CommandButton>
    </div>
  );
}

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

const EARLIER_STATES: readonly DemoState[] = ["heard", "new"];

/** Back to a state before any decision, which undo may no longer reach. */
function StepBack({ state }: { state: DemoState }) {
  const { judge } = useDeskState();
  if (state === "new") return null;
  return (
    <p className="flex flex-wrap gap-x-6 border-hairline border-b px-gutter py-2.5">
      {EARLIER_STATES.filter((other) => other !== state).map((other) => (
        <TextButton key={other} className="flex-none" onClick={() => judge(other)}>
          Back To {stateName(other)}
        </TextButton>
      ))}
    </p>
  );
}

function DraftLine({ demo }: SheetProps) {
  const { desk, drafts } = useDeskState();
  if (demo.state !== "accepted") return null;
  const release = desk.detail?.release;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b px-gutter py-2.5">
      <p className="min-w-0 flex-1 basis-48 text-dim">
        {release
          ? `Its draft is in the catalogue${release.catalog ? ` as ${release.catalog}` : ""}.`
          : "A draft takes over artist and title, with the next catalogue number."}
      </p>
      <Button variant="outline" isBusy={drafts.isBusy} onClick={() => drafts.open(demo)}>
        {drafts.isBusy ? "Drafting..." : release ? "OPEN THE DRAFT" : "DRAFT A RELEASE"}
      </Button>
    </div>
  );
}

export function ProblemLine() {
  const { desk, actions } = useDeskState();
  if (!actions.problem) return null;
  const { text, of, order } = actions.problem;
  return (
    <p className="text-signal">
      {of?.artist_name && of.id !== desk.id && (
        <bdi className="mr-2 text-ink">{of.artist_name}</bdi>
      )}
      {/* A new element each time, so that the same words are announced again. */}
      <span key={order}>{text}</span>
    </p>
  );
}
