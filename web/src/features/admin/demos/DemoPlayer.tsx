// Plays a demo in place. Nothing is loaded before it is opened.
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { clock, type Trouble, TroubleLine, troubleWith } from "../sound/trouble.tsx";
import { type Demo, fileOf } from "./demo.ts";

export function DemoPlayer({ demo }: { demo: Demo }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isRunning, setRunning] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const label = demo.artist_label;
  // The fragment makes a replaced file a new source; it is not sent.
  const source = `${fileOf(demo)}?inline=true#${encodeURIComponent(demo.file_name)}`;
  const isMounted = useIsMounted();
  useEffect(() => {
    const element = audio.current;
    // Refused if the press that opened the player was too long ago; the button remains.
    element?.play()?.catch(() => undefined);
    return () => element?.pause();
  }, []);

  function toggle(): void {
    const element = audio.current;
    if (!element) return;
    if (isRunning) {
      element.pause();
      return;
    }
    if (element.error) {
      // A failed element never retries by itself.
      element.load();
      element.currentTime = at;
    }
    setTrouble(undefined);
    element.play().catch(() => undefined);
  }

  function seek(seconds: number): void {
    setAt(seconds);
    if (audio.current) audio.current.currentTime = seconds;
  }

  return (
    <section aria-label={`Player: ${label}`} className="mt-3">
      {/* biome-ignore lint/a11y/useMediaCaption: the words of a demo are not written down */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setRunning(true)}
        onPause={() => setRunning(false)}
        // A replaced file; the element has stopped without saying so.
        onEmptied={({ currentTarget }) => {
          setRunning(false);
          setTrouble(undefined);
          if (isRunning) currentTarget.play().catch(() => undefined);
        }}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) => setLength(finite(currentTarget.duration))}
        onError={({ currentTarget }) => {
          setRunning(false);
          void troubleWith(source, currentTarget).then((found) => {
            if (isMounted() && currentTarget.error) setTrouble(found);
          });
        }}
      />
      <TroubleLine trouble={trouble} file={fileOf(demo)} />
      {trouble !== "missing" && trouble !== "unplayable" && (
        <div className="flex items-center gap-3">
          <Button
            aria-label={`${isRunning ? "Pause" : "Resume"} ${label}`}
            className="flex-none px-3"
            onClick={toggle}
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

/** An endless stream has no length to show. */
function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}
