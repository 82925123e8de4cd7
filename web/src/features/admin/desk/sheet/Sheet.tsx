// The demo on the desk: its sound, what was decided, and all that is known of it.
import { type RefObject, useSyncExternalStore } from "react";
import { putTags } from "../deskCalls.ts";
import type { DeskDemo } from "../deskTypes.ts";
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
import { Tags } from "./Tags.tsx";
import { UndoLine } from "./UndoLine.tsx";

interface SheetProps {
  desk: Desk;
  demo: DeskDemo;
  actions: Actions;
  drafts: Drafts;
  listeners: readonly string[];
  tagsInUse: readonly string[];
  noteField: RefObject<HTMLDivElement | null>;
  onSkip: (seconds: number) => void;
  onOpen: (id: string) => void;
  onNext: () => void;
  onPrevious: () => void;
  /** Whether something was written that is not kept yet. */
  onNoteEdited: (isEdited: boolean) => void;
}

export function Sheet(props: SheetProps) {
  const { desk, demo, actions, listeners, tagsInUse, noteField, onSkip } = props;
  const { deck, detail } = desk;
  const playing = useSyncExternalStore(deck.subscribe, deck.get);
  return (
    <>
      <SheetHead demo={demo} listeners={listeners} />
      <Player desk={desk} demo={demo} playing={playing} onSkip={onSkip} />
      <Judgement
        demo={demo}
        onScore={desk.score}
        onJudge={desk.judge}
        onNote={() => focusField(noteField.current)}
        onNext={props.onNext}
        onPrevious={props.onPrevious}
      />
      <UndoLine actions={actions} />
      <DraftKey demo={demo} drafts={props.drafts} />
      {detail && detail.tracks.length > 0 && (
        <Tracks
          tracks={detail.tracks}
          current={desk.track?.index}
          isPlaying={playing.isPlaying}
          onPlay={desk.playTrack}
        />
      )}
      <div className="grid gap-x-gutter gap-y-8 px-gutter py-6 lg:grid-cols-2">
        <Sender
          demo={demo}
          detail={detail}
          onOpen={props.onOpen}
          onSender={(sender) => desk.address.write({ sender })}
        />
        <div className="flex flex-col gap-8">
          <NotesOf
            key={`notes of ${demo.id}`}
            demo={demo}
            desk={desk}
            actions={actions}
            fieldRef={noteField}
            onEdited={props.onNoteEdited}
          />
          <Tags
            key={`tags of ${demo.id}`}
            tags={demo.tags}
            inUse={tagsInUse}
            onChange={(tags) =>
              void actions.run(`tags ${demo.id}`, demo.id, () =>
                desk.change(demo.id, () => putTags(demo.id, tags)),
              )
            }
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
