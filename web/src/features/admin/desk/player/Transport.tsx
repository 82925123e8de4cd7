// What moves along the sound, and where it is.
import { DeskKey } from "../DeskKey.tsx";
import type { DeskDemo } from "../deskTypes.ts";
import { clock } from "./clock.ts";
import type { Deck, DeckState } from "./deck.ts";

interface TransportProps {
  demo: DeskDemo;
  deck: Deck;
  state: DeckState;
  onSkip: (seconds: number) => void;
}

export function Transport({ demo, deck, state, onSkip }: TransportProps) {
  const { isPlaying, at, length, source } = state;
  const name = demo.artist_name;
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
          <span className="sr-only"> {name}</span>
        </DeskKey>
        <DeskKey shortcut="J" onClick={() => onSkip(-15)}>
          −15<span className="sr-only"> seconds</span>
        </DeskKey>
        <DeskKey shortcut="L" onClick={() => onSkip(15)}>
          +15<span className="sr-only"> seconds</span>
        </DeskKey>
      </div>
      <p className="type-title min-w-[7.5ch] tabular-nums">
        {clock(at)}
        <span className="text-dim"> / {length > 0 ? clock(length) : "–:––"}</span>
      </p>
    </div>
  );
}
