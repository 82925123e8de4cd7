// The recording as a picture to point into: its waveform, or a line until that is measured. The stylus stands where it is.
import type { KeyboardEvent } from "react";
import { clock } from "../../sound/clock.ts";
import { Waveform } from "./Waveform.tsx";

/** How far the arrow keys go on the slider. */
const ARROW_SECONDS = 5;

interface GrooveProps {
  /** What is heard. */
  name: string;
  peaks: readonly number[] | undefined;
  at: number;
  length: number;
  onSeek: (seconds: number) => void;
}

export function Groove({ name, peaks, at, length, onSeek }: GrooveProps) {
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
