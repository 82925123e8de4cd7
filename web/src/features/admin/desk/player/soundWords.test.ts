import { describe, expect, it } from "vitest";
import { anAnalysis } from "../../../../testing/desk.ts";
import {
  formText,
  lengthText,
  loudnessText,
  silenceText,
  truePeakText,
  whyUnmeasured,
} from "./SoundFacts.tsx";

describe("what was measured", () => {
  it("is said with one decimal and a minus", () => {
    const sound = anAnalysis({ loudness_lufs: -9.84, true_peak_dbtp: 0.25 });
    expect([loudnessText(sound), truePeakText(sound)]).toEqual(["−9.8 LUFS", "0.3 dBTP"]);
  });

  it("is nothing of silence", () => {
    const sound = anAnalysis({ loudness_lufs: null, true_peak_dbtp: null });
    expect([loudnessText(sound), truePeakText(sound)]).toEqual(["–", "–"]);
  });

  it.each([
    [0, 99, "None"],
    [2_140, 0, "2.1 s before"],
    [100, 400, "0.1 s before, 0.4 s after"],
  ])("names silence of %i and %i ms", (silence_start_ms, silence_end_ms, said) => {
    expect(silenceText(anAnalysis({ silence_start_ms, silence_end_ms }))).toBe(said);
  });

  it.each([
    [44_100, 2, "44.1 kHz, stereo"],
    [96_000, 1, "96 kHz, mono"],
    [48_000, 6, "48 kHz, 6 channels"],
  ])("names the form of %i Hz and %i channels", (sample_rate, channels, said) => {
    expect(formText(anAnalysis({ sample_rate, channels }))).toBe(said);
  });

  it("says why nothing was, also for a reason that it does not know", () => {
    const failed = { state: "failed" as const, duration_ms: null, track_count: null };
    expect(whyUnmeasured({ ...failed, failure: "empty" })).toBe(
      "Not measured: there is no sound in it.",
    );
    expect(whyUnmeasured({ ...failed, failure: "new reason" })).toBe(
      "Not measured: it could not be.",
    );
  });
});

describe("how long it is", () => {
  const done = { state: "done", failure: null, duration_ms: 192_400, track_count: null } as const;

  it.each([
    [done, "3:12"],
    [{ ...done, duration_ms: 3_792_999 }, "1:03:12"],
    [{ ...done, track_count: 4, duration_ms: 1_120_000 }, "4 tracks, 18:40"],
    [{ ...done, track_count: 1 }, "1 track, 3:12"],
    [{ ...done, duration_ms: null, track_count: 4 }, "4 tracks"],
    [{ ...done, duration_ms: null }, ""],
  ])("of %o", (sound, said) => {
    expect(lengthText(sound)).toBe(said);
  });
});
