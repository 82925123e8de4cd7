// The sound of the demo on the desk: its waveform, what was measured, and the controls.
import { useSelector } from "@tanstack/react-store";
import type { KeyboardEvent } from "react";
import { fileOf, isSound } from "../../demos/demo.ts";
import type { DeckState } from "../../sound/deck.ts";
import { clock, TroubleLine } from "../../sound/trouble.tsx";
import { CommandButton } from "../CommandButton.tsx";
import { isPackedOtherwise } from "../demoSound.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { SKIP_SECONDS } from "../keys/commands.ts";
import { SoundFacts, whyUnmeasured } from "./SoundFacts.tsx";
import { Waveform } from "./Waveform.tsx";

export function Player({ demo }: { demo: DeskDemo }) {
  const { deck, detail, track } = useDeskState().desk;
  const playing = useSelector(deck.state);
  const { sound, analysis } = track ?? detail ?? {};
  const isWithoutTracks = !isSound(demo) && !track && sound !== undefined;
  const isUnplayable =
    (isWithoutTracks && sound.state !== "waiting") || (track && isPackedOtherwise(track));
  // The measured length where there is one: browsers guess that of some files, and correct it while they play.
  const length = analysis ? analysis.duration_ms / 1_000 : playing.length;
  return (
    <>
      <div className="px-gutter">
        <Groove
          name={track ? `${demo.artist_name}, ${track.name}` : demo.artist_name}
          peaks={analysis?.peaks}
          at={playing.at}
          length={length}
          onSeek={deck.seek}
        />
        <TroubleLine
          trouble={isUnplayable ? "unplayable" : playing.trouble}
          isAlac={Boolean(analysis) && /\.m4a$/i.test(track?.name ?? demo.file_name)}
          file={fileOf(demo)}
        />
      </div>
      <div className="mt-3 border-hairline border-t">
        <SoundFacts sound={sound} analysis={analysis} />
      </div>
      <Transport
        demo={demo}
        // Which track of an archive to play is known once the demo is read.
        state={detail ? playing : { ...playing, isLoading: true }}
        length={length}
      />
    </>
  );
}

const ARROW_SECONDS = 5;

interface GrooveProps {
  name: string;
  peaks: readonly number[] | undefined;
  at: number;
  length: number;
  onSeek: (seconds: number) => void;
}

function Groove({ name, peaks, at, length, onSeek }: GrooveProps) {
  function press(event: KeyboardEvent): void {
    const step = { ArrowLeft: -ARROW_SECONDS, ArrowRight: ARROW_SECONDS }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onSeek(at + step);
  }
  return (
    <div className="relative h-20 sm:h-28">
      {peaks ? (
        <Waveform peaks={peaks} passed={length > 0 ? at / length : 0} />
      ) : (
        <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-px bg-dim" />
      )}
      <input
        type="range"
        aria-label={`Place in ${name}`}
        aria-valuetext={`${clock(at)} of ${clock(length)}`}
        className="stylus absolute inset-0 size-full"
        min={0}
        max={length}
        step="any"
        value={Math.min(at, length)}
        disabled={length === 0}
        onKeyDown={press}
        onChange={({ target }) => onSeek(Number(target.value))}
      />
    </div>
  );
}

interface TransportProps {
  demo: DeskDemo;
  state: DeckState;
  length: number;
}

function Transport({ demo, state, length }: TransportProps) {
  const { track, detail } = useDeskState().desk;
  const { isPlaying, isLoading, at, source } = state;
  const trackCount = detail?.tracks.length ?? 0;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-hairline border-y px-gutter py-3">
      <div className="flex flex-wrap gap-2">
        <CommandButton
          command="play"
          variant={isPlaying ? "live" : "main"}
          className="w-24 sm:w-36"
          disabled={source === undefined}
        >
          {isPlaying ? "Pause" : "Play"}
          <span className="sr-only"> {demo.artist_name}</span>
        </CommandButton>
        <CommandButton command="back">
          −{SKIP_SECONDS}
          <span className="sr-only"> seconds</span>
        </CommandButton>
        <CommandButton command="forward">
          +{SKIP_SECONDS}
          <span className="sr-only"> seconds</span>
        </CommandButton>
        {trackCount > 1 && (
          <>
            <CommandButton command="previousTrack">
              <span className="sr-only">Previous </span>Track −
            </CommandButton>
            <CommandButton command="nextTrack">
              <span className="sr-only">Next </span>Track +
            </CommandButton>
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
            Track {track.index + 1} of {trackCount}
          </span>{" "}
          <bdi>{track.name}</bdi>
        </p>
      )}
    </div>
  );
}

const POINTS = 160;

export function Tracks() {
  const { desk, isPlaying } = useDeskState();
  const tracks = desk.detail?.tracks ?? [];
  if (tracks.length === 0) return null;
  return (
    <section aria-label="Tracks" className="border-hairline border-b">
      <ol className="text-[0.75rem]">
        {tracks.map((track) => {
          const { index, name, sound, analysis } = track;
          const isHere = index === desk.track?.index;
          return (
            <li key={index} className="border-hairline not-first:border-t">
              <button
                type="button"
                aria-current={isHere || undefined}
                className={`grid min-h-11 w-full grid-cols-[2.5ch_minmax(0,1fr)_auto] items-center gap-x-4 px-gutter py-1.5 text-left -outline-offset-2 hover:bg-ink/4 sm:grid-cols-[2.5ch_minmax(0,1fr)_10rem_8ch] ${
                  isHere ? "bg-ink/8" : ""
                }`}
                onClick={() => desk.playTrack(track)}
              >
                <span
                  className={`tabular-nums ${isHere && isPlaying ? "text-signal" : "text-dim"}`}
                >
                  {index + 1}
                </span>
                <span className="min-w-0">
                  <bdi className={isHere ? "type-card" : ""}>{name}</bdi>
                  {sound.state === "failed" && (
                    <span className="block text-dim">{whyUnmeasured(sound)}</span>
                  )}
                </span>
                <span aria-hidden="true" className="relative h-6 max-sm:hidden">
                  {analysis && <Waveform peaks={analysis.peaks} most={POINTS} />}
                </span>
                <span className="text-right text-dim tabular-nums">
                  {analysis ? clock(analysis.duration_ms / 1_000) : "–:––"}
                  {analysis && analysis.clipped_samples > 0 && (
                    <span className="block text-signal">CLIPPED</span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
