import { clock } from "../../sound/trouble.tsx";
import type { SoundTrack } from "../deskTypes.ts";
import { whyUnmeasured } from "./SoundFacts.tsx";
import { Waveform } from "./Waveform.tsx";

interface TracksProps {
  tracks: readonly SoundTrack[];
  current: number | undefined;
  isPlaying: boolean;
  onPlay: (track: SoundTrack) => void;
}

const POINTS = 160;

export function Tracks({ tracks, current, isPlaying, onPlay }: TracksProps) {
  return (
    <section aria-label="Tracks" className="border-hairline border-b">
      <ol className="text-[0.75rem]">
        {tracks.map((track) => {
          const { index, name, sound, analysis } = track;
          const isHere = index === current;
          return (
            <li key={index} className="border-hairline not-first:border-t">
              <button
                type="button"
                aria-current={isHere || undefined}
                className={`grid min-h-11 w-full grid-cols-[2.5ch_minmax(0,1fr)_auto] items-center gap-x-4 px-gutter py-1.5 text-left -outline-offset-2 hover:bg-ink/4 sm:grid-cols-[2.5ch_minmax(0,1fr)_10rem_8ch] ${
                  isHere ? "bg-ink/8" : ""
                }`}
                onClick={() => onPlay(track)}
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
