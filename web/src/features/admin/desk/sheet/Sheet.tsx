// The demo on the desk: its sound, what was decided, and all that is known of it.
import { type RefObject, useSyncExternalStore } from "react";
import { fileOf, isArchive } from "../demoSound.ts";
import { putTags } from "../deskCalls.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Deck } from "../player/deck.ts";
import { Groove } from "../player/Groove.tsx";
import { Transport } from "../player/Transport.tsx";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
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
      <div className="px-gutter pb-3">
        <Groove
          name={demo.artist_name}
          at={playing.at}
          length={playing.length}
          onSeek={deck.seek}
        />
        <SoundLine deck={deck} demo={demo} />
      </div>
      <Transport demo={demo} deck={deck} state={playing} onSkip={onSkip} />
      <Judgement
        demo={demo}
        onScore={desk.score}
        onJudge={desk.judge}
        onNote={() => focusField(noteField.current)}
        onNext={props.onNext}
        onPrevious={props.onPrevious}
      />
      <UndoLine actions={actions} />
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

/** Why nothing is heard; a line of its own, which is there also when it is empty. */
function SoundLine({ deck, demo }: { deck: Deck; demo: DeskDemo }) {
  const { trouble } = useSyncExternalStore(deck.subscribe, deck.get);
  return (
    <div className="min-h-5 pt-1 text-[0.75rem]">
      {trouble === "missing" && (
        <p role="alert" className="text-signal">
          Its file is missing.
        </p>
      )}
      {(trouble === "unplayable" || isArchive(demo)) && (
        <p role="alert" className="text-signal">
          This browser cannot play it.{" "}
          <a href={fileOf(demo.id)} download className="text-link">
            Download it to hear it.
          </a>
        </p>
      )}
    </div>
  );
}
