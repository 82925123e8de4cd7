// What moves along the sound, and where it is.

import { clock } from "../../sound/clock.ts";
import { DeskKey } from "../DeskKey.tsx";
import type { DeskDemo, SoundTrack } from "../deskTypes.ts";
import { SKIP_SECONDS } from "../keys/commands.ts";
import type { Deck, DeckState } from "./deck.ts";

interface TransportProps {
  demo: DeskDemo;
  /** Of an archive. */
  tracks: readonly SoundTrack[];
  track: SoundTrack | undefined;
  deck: Deck;
  state: DeckState;
  /** The length as it was measured. */
  measured: number | undefined;
  onSkip: (seconds: number) => void;
  onTrack: (way: 1 | -1) => void;
}

export function Transport(props: TransportProps) {
  const { demo, tracks, track, deck, state, measured, onSkip, onTrack } = props;
  const { isPlaying, isLoading, at, source } = state;
  const length = measured ?? state.length;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-hairline border-y px-gutter py-3">
      <div className="flex flex-wrap gap-2">
        <DeskKey
          shortcut="Space"
          variant={isPlaying ? "live" : "main"}
          className="w-24 sm:w-36"
          disabled={source === undefined}
          onClick={deck.turn}
        >
          {isPlaying ? "Pause" : "Play"}
          <span className="sr-only"> {demo.artist_name}</span>
        </DeskKey>
        <DeskKey shortcut="J" onClick={() => onSkip(-SKIP_SECONDS)}>
          −{SKIP_SECONDS}
          <span className="sr-only"> seconds</span>
        </DeskKey>
        <DeskKey shortcut="L" onClick={() => onSkip(SKIP_SECONDS)}>
          +{SKIP_SECONDS}
          <span className="sr-only"> seconds</span>
        </DeskKey>
        {tracks.length > 1 && (
          <>
            <DeskKey shortcut="Shift T" keyShortcut="Shift+T" onClick={() => onTrack(-1)}>
              <span className="sr-only">Previous </span>Track −
            </DeskKey>
            <DeskKey shortcut="T" onClick={() => onTrack(1)}>
              <span className="sr-only">Next </span>Track +
            </DeskKey>
          </>
        )}
      </div>
      <p className="type-title min-w-[7.5ch] tabular-nums">
        {isLoading && (isPlaying || source === undefined) ? "Loading" : clock(at)}
        <span className="text-dim"> / {length > 0 ? clock(length) : "–:––"}</span>
      </p>
      {track && (
        <p role="status" className="basis-full text-[0.75rem]">
          <span className="text-dim tabular-nums">
            Track {track.index + 1} of {tracks.length}
          </span>{" "}
          <bdi>{track.name}</bdi>
        </p>
      )}
    </div>
  );
}
