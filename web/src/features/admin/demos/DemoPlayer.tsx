// Hears a demo in place. Nothing of it is loaded before the player is there; the browser then asks for the parts it plays.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { type Demo, fileOf } from "./demo.ts";

export function DemoPlayer({ demo }: { demo: Demo }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isRunning, setRunning] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const label = demo.artist_label;
  useEffect(() => {
    const element = audio.current;
    // Refused where the press that opened the player was too long ago: the key is there for that.
    element?.play()?.catch(() => undefined);
    return () => element?.pause();
  }, []);

  function turn(): void {
    if (isRunning) audio.current?.pause();
    else audio.current?.play().catch(() => undefined);
  }

  function seek(seconds: number): void {
    setAt(seconds);
    if (audio.current) audio.current.currentTime = seconds;
  }

  return (
    <section aria-label={`Player: ${label}`} className="mt-3">
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what a demo says */}
      <audio
        ref={audio}
        src={`${fileOf(demo)}?inline=true`}
        preload="metadata"
        onPlay={() => setRunning(true)}
        onPause={() => setRunning(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) => setLength(finite(currentTarget.duration))}
        onError={() => setBroken(true)}
      />
      {isBroken ? (
        <p role="alert" className="text-signal">
          This browser cannot play it. Download it to hear it.
        </p>
      ) : (
        <div className="flex items-center gap-3">
          <Button
            aria-label={`${isRunning ? "Pause" : "Resume"} ${label}`}
            className="flex-none px-3"
            onClick={turn}
          >
            <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3">
              <path
                d={isRunning ? "M1 0h3.5v12H1zM7.5 0H11v12H7.5z" : "M1 0 12 6 1 12Z"}
                fill="currentColor"
              />
            </svg>
          </Button>
          <input
            type="range"
            aria-label={`Place in ${label}`}
            aria-valuetext={`${clock(at)} of ${clock(length)}`}
            className="groove min-w-0 flex-1"
            min={0}
            max={length}
            step="any"
            value={at}
            disabled={length === 0}
            onChange={({ target }) => seek(Number(target.value))}
          />
          <span aria-hidden="true" className="flex-none text-dim tabular-nums">
            {clock(at)} / {clock(length)}
          </span>
        </div>
      )}
    </section>
  );
}

/** A stream without an end has no length that could be shown. */
function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
