// Measurements of a sound as text.

import { clock } from "../../sound/clock.ts";
import type { SoundAnalysis, SoundSummary } from "../deskTypes.ts";

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

/** Shorter silence is not worth mentioning. */
const SHORT_MS = 100;

/** Such as `2.1 s before, 0.4 s after`. */
export function silenceText({ silence_start_ms, silence_end_ms }: SoundAnalysis): string {
  const sides = [
    [silence_start_ms, "before"],
    [silence_end_ms, "after"],
  ] as const;
  const said = sides
    .filter(([ms]) => ms >= SHORT_MS)
    .map(([ms, side]) => `${(ms / 1_000).toFixed(1)} s ${side}`);
  return said.join(", ") || "None";
}

/** Such as `44.1 kHz, stereo`. */
export function formText({ sample_rate, channels }: SoundAnalysis): string {
  const width = { 1: "mono", 2: "stereo" }[channels] ?? `${channels} channels`;
  return `${Number((sample_rate / 1_000).toFixed(3))} kHz, ${width}`;
}
