// The demo desk: hear, judge and answer what artists have sent.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Button } from "../../../ui/Button.tsx";
import { SkeletonLines } from "../../../ui/Skeleton.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { Failed } from "../lists/Failed.tsx";
import { kindFor } from "./answers/letters.ts";
import { useComposer } from "./answers/useComposer.ts";
import { DeskKey } from "./DeskKey.tsx";
import { summaryQuery } from "./deskCalls.ts";
import type { DemoState, LetterKind } from "./deskTypes.ts";
import { DraftForm } from "./drafts/DraftForm.tsx";
import { useDrafts } from "./drafts/useDrafts.ts";
import type { Command } from "./keys/commands.ts";
import { ShortcutsDialog } from "./keys/ShortcutsDialog.tsx";
import { useShortcutsSwitch } from "./keys/shortcutsSwitch.ts";
import { useShortcuts } from "./keys/useShortcuts.ts";
import { ProblemLine } from "./ProblemLine.tsx";
import { Queue } from "./queue/Queue.tsx";
import { focusField, Sheet } from "./sheet/Sheet.tsx";
import { useNoteDraft } from "./sheet/useNoteDraft.ts";
import { SettingsDialog } from "./summary/SettingsDialog.tsx";
import { Summary } from "./summary/Summary.tsx";
import { TemplatesDialog } from "./templates/TemplatesDialog.tsx";
import { type Actions, useActions } from "./useActions.ts";
import { type Desk, useDesk } from "./useDesk.ts";
import { useOthersListening, useTellListening } from "./useListening.ts";

export function DeskPage() {
  return (
    <AdminFrame
      wayBack={
        <Link to="/admin" search={{ tab: "media" }} className="button">
          Media
        </Link>
      }
    >
      <DemoDesk />
    </AdminFrame>
  );
}

function DemoDesk() {
  const actions = useActions();
  const desk = useDesk(actions);
  const drafts = useDrafts(actions, desk.id);
  const { deck, demo, id } = desk;
  const { data: summary } = useQuery(summaryQuery);
  const listeners = useOthersListening();
  const isPlaying = useSyncExternalStore(deck.subscribe, () => deck.get().isPlaying);
  useTellListening(isPlaying ? id : undefined);
  const [dialog, setDialog] = useState<"keys" | "settings" | "letters">();
  const [isOn, turnShortcuts] = useShortcutsSwitch();
  const search = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);

  // Another demo is read from its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the demo is what it happens for
  useEffect(() => {
    sheet.current?.scrollTo?.(0, 0);
    // In one column the page scrolls, and the key that led here stands far below.
    if ((sheet.current?.getBoundingClientRect().top ?? 0) < 0) sheet.current?.scrollIntoView();
  }, [id]);

  const noteDraft = useNoteDraft(id);
  const isNoteEdited = noteDraft.text.trim() !== "";
  const composer = useComposer(desk, actions, () =>
    isNoteEdited && desk.next ? askBefore(desk.goNext) : desk.goNext(),
  );
  // By name: who throws the letter away keeps the note.
  const { askBefore, question } = useUnsaved(
    `${isNoteEdited ? "note " : ""}${composer.isEdited ? "letter" : ""}`,
  );
  function goNext(): void {
    // A letter that is to be sent goes on by itself.
    if (composer.isAwaited) return;
    if (desk.next) askBefore(desk.goNext);
    else desk.goNext();
  }
  const goBack = () => (desk.hasPrevious ? askBefore(desk.goBack) : undefined);

  /** What a decision is told by, once it is made. */
  function judge(state: DemoState): void {
    const decided = desk.judge(state);
    if (state === "declined" || state === "accepted") write(state, decided);
  }
  const write = (kind: LetterKind, decided?: Promise<boolean>) => {
    if (composer.kind !== kind) askBeforeLetter(() => composer.open(kind, decided));
  };
  /** By the state as it will be: the letter waits for the decision that is under way. */
  const reply = () => demo && write(kindFor(demo.state), desk.deciding());
  const askBeforeLetter = (go: () => void) => (composer.isEdited ? askBefore(go) : go());

  function undo(): void {
    actions.undo();
    // What was decided is open again, and so is what to say of it.
    if (!composer.isEdited) composer.close();
  }

  const skip = (seconds: number) => deck.seek(deck.get().at + seconds);

  function open(wanted: string): void {
    if (wanted !== desk.id) askBefore(() => desk.go(wanted));
    // In one column the demo may be many screens away.
    if ((sheet.current?.getBoundingClientRect().bottom ?? 0) < 0) sheet.current?.scrollIntoView();
  }

  // The same function on every render: the rows of the queue are not drawn again for what changes on the desk.
  const openNow = useRef(open);
  useEffect(() => {
    openNow.current = open;
  });
  const openRow = useCallback((wanted: string) => openNow.current(wanted), []);

  const RUN = {
    turn: deck.turn,
    next: goNext,
    previous: goBack,
    nextTrack: () => desk.moveTrack(1),
    previousTrack: () => desk.moveTrack(-1),
    shortlist: () => judge("shortlisted"),
    decline: () => judge("declined"),
    accept: () => judge("accepted"),
    reply,
    send: () => composer.send(),
    note: () => focusField(note.current),
    undo,
    search: () => search.current?.focus(),
    keys: () => setDialog("keys"),
  };

  function run(command: Command): void {
    if (command.do === "skip") skip(command.seconds);
    else if (command.do === "jump") deck.seekTenth(command.tenth);
    else if (command.do === "score") desk.score(command.score);
    else RUN[command.do]();
  }
  useShortcuts(isOn, run);

  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-hairline border-b px-gutter pt-6 pb-4">
        <h1 className="type-heading">Demo Desk</h1>
        <div className="type-label flex flex-wrap items-center gap-x-5 gap-y-2">
          <Switch
            label="SHORTCUTS"
            checked={isOn}
            onChange={({ target }) => turnShortcuts(target.checked)}
          />
          <Button disabled={summary === undefined} onClick={() => setDialog("settings")}>
            Settings
          </Button>
          <Button onClick={() => setDialog("letters")}>Letters</Button>
          <DeskKey shortcut="?" onClick={() => setDialog("keys")}>
            All keys
          </DeskKey>
        </div>
      </header>
      <Summary summary={summary} asked={desk.address.asked} write={desk.address.write} />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_28rem]">
        <div
          ref={sheet}
          className="min-w-0 border-hairline border-b lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-b-0"
        >
          <p role="status" className="sr-only">
            {demo && `On the desk: ${demo.artist_name}`}
          </p>
          <OnTheDesk desk={desk} actions={actions} note={noteDraft.text.trim()}>
            {demo && (
              <Sheet
                desk={desk}
                demo={demo}
                actions={actions}
                drafts={drafts}
                composer={composer}
                onJudge={judge}
                onUndo={undo}
                onReply={reply}
                onWrite={(kind) => write(kind, desk.deciding())}
                onCloseLetter={() => askBeforeLetter(composer.close)}
                listeners={listeners.get(demo.id) ?? []}
                tagsInUse={summary?.tags.map(({ tag }) => tag) ?? []}
                noteField={note}
                onSkip={skip}
                onOpen={open}
                onNext={goNext}
                onPrevious={goBack}
                note={noteDraft}
              />
            )}
          </OnTheDesk>
        </div>
        <div className="min-w-0 border-hairline lg:border-l">
          <Queue
            desk={desk}
            actions={actions}
            listeners={listeners}
            tags={summary?.tags ?? []}
            overdueDays={summary?.settings.overdue_days}
            searchRef={search}
            onOpen={openRow}
          />
        </div>
      </div>
      {dialog === "keys" && (
        <ShortcutsDialog isOn={isOn} onTurn={turnShortcuts} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "letters" && <TemplatesDialog onClose={() => setDialog(undefined)} />}
      {dialog === "settings" && summary && (
        <SettingsDialog summary={summary} onClose={() => setDialog(undefined)} />
      )}
      <DraftForm drafts={drafts} />
      {question}
    </>
  );
}

interface OnTheDeskProps {
  desk: Desk;
  actions: Actions;
  /** What was being written on it. */
  note: string;
  children: ReactNode;
}

/** What stands in the place of a demo that is on its way, gone, cannot be read, or is not there. */
function OnTheDesk({ desk, actions, note, children }: OnTheDeskProps) {
  const { demo, isGone, isFailing, tryAgain, rows, next, goNext } = desk;
  if (isGone) {
    return (
      <div role="alert" className="flex flex-col items-start gap-5 px-gutter py-16">
        <p className="type-lead">This demo is gone. Its sender or another admin has removed it.</p>
        <ProblemLine problem={actions.problem} here={desk.id} />
        {note && (
          <p className="whitespace-pre-line">
            <span className="text-dim">Your note, not kept: </span>
            {note}
          </p>
        )}
        {next && (
          <DeskKey shortcut="N" variant="main" onClick={goNext}>
            Next
          </DeskKey>
        )}
      </div>
    );
  }
  if (demo) return children;
  if (isFailing) return <Failed code="demos_load_failed" onRetry={tryAgain} />;
  if (desk.id === undefined && rows.total === 0) {
    return (
      <div className="flex flex-col items-start gap-5 px-gutter py-16">
        <p className="type-lead">Nothing lies on the desk.</p>
        {Object.keys(desk.address.asked).length > 0 && (
          <Button onClick={() => desk.address.clear()}>All Demos</Button>
        )}
      </div>
    );
  }
  if (rows.isFailing) return null;
  return (
    <div aria-busy="true" className="p-gutter">
      <SkeletonLines lines={5} />
    </div>
  );
}
