// The sound of the demo on the desk: its picture, what was measured of it, and what moves along it.
import { useSyncExternalStore } from "react";
import { TroubleLine } from "../../sound/TroubleLine.tsx";
import { fileOf, isArchive, isPackedOtherwise } from "../demoSound.ts";
import type { DeskDemo } from "../deskTypes.ts";
import type { Desk } from "../useDesk.ts";
import { Groove } from "./Groove.tsx";
import { SoundFacts } from "./SoundFacts.tsx";
import { Transport } from "./Transport.tsx";

interface PlayerProps {
  desk: Desk;
  demo: DeskDemo;
  onSkip: (seconds: number) => void;
}

export function Player({ desk, demo, onSkip }: PlayerProps) {
  const { deck, detail, track } = desk;
  const playing = useSyncExternalStore(deck.subscribe, deck.get);
  const { sound, analysis } = track ?? detail ?? {};
  const name = track ? `${demo.artist_name}, ${track.name}` : demo.artist_name;
  const isWithoutTracks = isArchive(demo) && !track && sound !== undefined;
  const isUnplayable =
    (isWithoutTracks && sound.state !== "waiting") || (track && isPackedOtherwise(track));
  // A browser guesses the length of some files, and corrects it while it plays.
  const measured = analysis ? analysis.duration_ms / 1_000 : undefined;
  return (
    <>
      <div className="px-gutter">
        <Groove
          name={name}
          peaks={analysis?.peaks}
          at={playing.at}
          length={measured ?? playing.length}
          onSeek={deck.seek}
        />
        <TroubleLine
          trouble={isUnplayable ? "unplayable" : playing.trouble}
          isAlac={measured !== undefined && /\.m4a$/i.test(track?.name ?? demo.file_name)}
          file={fileOf(demo.id)}
        />
      </div>
      <div className="mt-3 border-hairline border-t">
        <SoundFacts sound={sound} analysis={analysis} />
      </div>
      <Transport
        demo={demo}
        tracks={detail?.tracks ?? []}
        track={track}
        deck={deck}
        // Of an archive, what to play is known once the demo is read.
        state={detail ? playing : { ...playing, isLoading: true }}
        measured={measured}
        onSkip={onSkip}
        onTrack={desk.moveTrack}
      />
    </>
  );
}
