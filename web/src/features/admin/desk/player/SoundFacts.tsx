// The measurements of the sound on the deck, or why it was not measured.

import { clock } from "../../sound/clock.ts";
import type { SoundAnalysis, SoundSummary } from "../deskTypes.ts";
import { formText, loudnessText, silenceText, truePeakText, whyUnmeasured } from "./soundWords.ts";

interface SoundFactsProps {
  /** Undefined while it is read. */
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
