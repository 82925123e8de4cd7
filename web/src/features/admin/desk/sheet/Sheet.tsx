// The demo on the desk: its sound, what was decided, and who sent it.
import { useSyncExternalStore } from "react";
import { fileOf, isArchive } from "../demoSound.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Deck } from "../player/deck.ts";
import { Groove } from "../player/Groove.tsx";
import { Transport } from "../player/Transport.tsx";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { Judgement } from "./Judgement.tsx";
import { Sender } from "./Sender.tsx";
import { SheetHead } from "./SheetHead.tsx";
import { UndoLine } from "./UndoLine.tsx";

interface SheetProps {
  desk: Desk;
  demo: DeskDemo;
  actions: Actions;
  onSkip: (seconds: number) => void;
}

export function Sheet({ desk, demo, actions, onSkip }: SheetProps) {
  const { deck } = desk;
  const playing = useSyncExternalStore(deck.subscribe, deck.get);
  return (
    <>
      <SheetHead demo={demo} />
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
        state={demo.state}
        onJudge={desk.judge}
        onNext={desk.goNext}
        onPrevious={desk.goBack}
      />
      <UndoLine actions={actions} />
      <div className="px-gutter py-6">
        <Sender demo={demo} onSender={(sender) => desk.address.write({ sender })} />
      </div>
    </>
  );
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
