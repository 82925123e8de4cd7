import { clock } from "../../sound/trouble.tsx";
import type { SoundAnalysis, SoundSummary } from "../deskTypes.ts";

interface SoundFactsProps {
  sound: SoundSummary | undefined;
  analysis: SoundAnalysis | null | undefined;
}

export function SoundFacts({ sound, analysis }: SoundFactsProps) {
  if (!analysis) {
    return (
      <p role="status" className="flex min-h-13 items-center px-gutter text-[0.75rem] text-dim">
        {sound?.state === "waiting" && "Its sound is being measured."}
        {sound?.state === "failed" && whyUnmeasured(sound)}
      </p>
    );
  }
  const { clipped_samples: clipped, true_peak_dbtp: peak } = analysis;
  return (
    <dl aria-label="Sound" className="grid-cells grid-cols-2 sm:grid-cols-3 xl:grid-cols-6">
      <Fact name="Length">{clock(analysis.duration_ms / 1_000)}</Fact>
      <Fact name="Loudness">{loudnessText(analysis)}</Fact>
      <Fact name="True peak" isSignal={peak !== null && peak > 0}>
        {truePeakText(analysis)}
      </Fact>
      <Fact name="Clipping" isSignal={clipped > 0}>
        {clipped > 0 ? `CLIPPED, ${clipped} samples` : "None"}
      </Fact>
      <Fact name="Silence">{silenceText(analysis)}</Fact>
      <Fact name="Form">{formText(analysis)}</Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  isSignal?: boolean;
  children: string;
}

function Fact({ name, isSignal = false, children }: FactProps) {
  return (
    <div className="flex min-h-13 flex-col justify-center py-1.5 pr-2 pl-gutter text-[0.75rem]">
      <dt className="type-label text-dim uppercase">{name}</dt>
      <dd className={`tabular-nums ${isSignal ? "text-signal" : ""}`}>{children}</dd>
    </div>
  );
}

const FAILURES: Readonly<Record<string, string>> = {
  unreadable: "what is in the file cannot be read",
  empty: "there is no sound in it",
  too_long: "it is longer than half a day",
  changing: "its form changes on the way",
  missing: "its file is missing",
  slow: "it took too long",
  packed: "it is packed in a way that cannot be played here. Download the archive",
  crashed: "reading it failed",
};

export function whyUnmeasured({ failure }: SoundSummary): string {
  return `Not measured: ${FAILURES[failure ?? ""] ?? "it could not be"}.`;
}

/** Such as `3:12`, or `4 tracks, 18:40` for an archive. */
export function lengthText({ duration_ms, track_count }: SoundSummary): string {
  const parts = [];
  if (track_count !== null) parts.push(track_count === 1 ? "1 track" : `${track_count} tracks`);
  if (duration_ms !== null) parts.push(clock(duration_ms / 1_000));
  return parts.join(", ");
}

/** One decimal, with a minus that is as wide as a digit. */
function level(value: number | null, unit: string): string {
  return value === null ? "–" : `${value.toFixed(1).replace("-", "−")} ${unit}`;
}

export function loudnessText({ loudness_lufs }: SoundAnalysis): string {
  return level(loudness_lufs, "LUFS");
}

export function truePeakText({ true_peak_dbtp }: SoundAnalysis): string {
  return level(true_peak_dbtp, "dBTP");
}

const SHORT_MS = 100;

/** Such as `2.1 s before, 0.4 s after`. */
export function silenceText({ silence_start_ms, silence_end_ms }: SoundAnalysis): string {
  const sides = [
    [silence_start_ms, "before"],
    [silence_end_ms, "after"],
  ] as const;
  const parts = sides
    .filter(([ms]) => ms >= SHORT_MS)
    .map(([ms, side]) => `${(ms / 1_000).toFixed(1)} s ${side}`);
  return parts.join(", ") || "None";
}

/** Such as `44.1 kHz, stereo`. */
export function formText({ sample_rate, channels }: SoundAnalysis): string {
  const width = { 1: "mono", 2: "stereo" }[channels] ?? `${channels} channels`;
  return `${Number((sample_rate / 1_000).toFixed(3))} kHz, ${width}`;
}
