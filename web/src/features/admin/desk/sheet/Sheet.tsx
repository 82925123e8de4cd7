// The demo on the desk: its sound, what was decided, and all that is known of it.
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useSyncExternalStore } from "react";
import { Answers } from "../answers/Answers.tsx";
import { ComposerForm } from "../answers/ComposerForm.tsx";
import { type Composer, takeBack } from "../answers/useComposer.ts";
import type { DemoState, DeskDemo, LetterKind } from "../deskTypes.ts";
import type { Drafts } from "../drafts/useDrafts.ts";
import { Player } from "../player/Player.tsx";
import { Tracks } from "../player/Tracks.tsx";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { DraftKey } from "./DraftKey.tsx";
import { Judgement } from "./Judgement.tsx";
import { NotesOf } from "./NotesOf.tsx";
import { Sender } from "./Sender.tsx";
import { SheetHead } from "./SheetHead.tsx";
import { StepBack } from "./StepBack.tsx";
import { Tags } from "./Tags.tsx";
import { UndoLine } from "./UndoLine.tsx";
import type { NoteDraft } from "./useNoteDraft.ts";

interface SheetProps {
  desk: Desk;
  demo: DeskDemo;
  actions: Actions;
  drafts: Drafts;
  composer: Composer;
  onJudge: (state: DemoState) => void;
  onUndo: () => void;
  /** Opens the letter that the state calls for. */
  onReply: () => void;
  /** Opens the letter of a kind. */
  onWrite: (kind: LetterKind) => void;
  onCloseLetter: () => void;
  listeners: readonly string[];
  tagsInUse: readonly string[];
  noteField: RefObject<HTMLDivElement | null>;
  onSkip: (seconds: number) => void;
  onOpen: (id: string) => void;
  onNext: () => void;
  onPrevious: () => void;
  /** The note that is being written. */
  note: NoteDraft;
}

export function Sheet(props: SheetProps) {
  const client = useQueryClient();
  const { desk, demo, actions, composer, listeners, tagsInUse, noteField, onSkip } = props;
  const { deck, detail } = desk;
  const isPlaying = useSyncExternalStore(deck.subscribe, () => deck.get().isPlaying);
  return (
    <>
      <SheetHead demo={demo} isPending={desk.isPending} listeners={listeners} />
      <Player desk={desk} demo={demo} onSkip={onSkip} />
      <Judgement
        demo={demo}
        onScore={desk.score}
        onJudge={props.onJudge}
        onReply={props.onReply}
        onNote={() => focusField(noteField.current)}
        onNext={props.onNext}
        onPrevious={props.onPrevious}
      />
      <UndoLine actions={actions} here={demo.id} onUndo={props.onUndo} />
      {composer.kind && (
        <ComposerForm
          key={composer.kind}
          composer={composer}
          kind={composer.kind}
          onKind={props.onWrite}
          onClose={props.onCloseLetter}
        />
      )}
      <StepBack state={demo.state} onJudge={props.onJudge} />
      <DraftKey demo={demo} release={detail?.release} drafts={props.drafts} />
      {detail && detail.tracks.length > 0 && (
        <Tracks
          tracks={detail.tracks}
          current={desk.track?.index}
          isPlaying={isPlaying}
          onPlay={desk.playTrack}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-gutter gap-y-8 px-gutter py-6 lg:grid-cols-2">
        <Sender
          demo={demo}
          detail={detail}
          onOpen={props.onOpen}
          onSender={(sender) => desk.address.write({ sender })}
        />
        <div className="flex flex-col gap-8">
          <Answers
            answers={detail?.answers ?? []}
            onTakeBack={(answer) => takeBack(client, actions, demo, answer)}
          />
          <NotesOf
            key={`notes of ${demo.id}`}
            demo={demo}
            desk={desk}
            actions={actions}
            fieldRef={noteField}
            note={props.note}
          />
          <Tags
            key={`tags of ${demo.id}`}
            tags={demo.tags}
            inUse={tagsInUse}
            onAdd={(tag) => desk.tag(tag, true)}
            onRemove={(tag) => void desk.tag(tag, false)}
          />
        </div>
      </div>
    </>
  );
}

/** Leads to the field within. */
export function focusField(around: HTMLElement | null): void {
  around?.querySelector<HTMLElement>("textarea, input")?.focus();
}
