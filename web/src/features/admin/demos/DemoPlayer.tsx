// Plays a demo in place. Nothing is loaded before it is opened.
import { useSelector } from "@tanstack/react-store";
import { useEffect, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { createDeck } from "../sound/deck.ts";
import { clock, TroubleLine } from "../sound/trouble.tsx";
import { type Demo, fileOf } from "./demo.ts";

export function DemoPlayer({ demo }: { demo: Demo }) {
  const [deck] = useState(() => createDeck("metadata"));
  const { isPlaying, at, length, trouble } = useSelector(deck.state);
  const label = demo.artist_label;
  // The fragment makes a replaced file a new source; it is not sent.
  const source = `${fileOf(demo)}?inline=true#${encodeURIComponent(demo.file_name)}`;
  useEffect(() => {
    const { source: before, isPlaying: wasPlaying } = deck.get();
    deck.open(source, source, before === undefined || wasPlaying);
  }, [deck, source]);
  useEffect(() => () => deck.close(), [deck]);

  return (
    <section aria-label={`Player: ${label}`} className="mt-3">
      <TroubleLine trouble={trouble} file={fileOf(demo)} />
      {trouble !== "missing" && trouble !== "unplayable" && (
        <div className="flex items-center gap-3">
          <Button
            aria-label={`${isPlaying ? "Pause" : "Resume"} ${label}`}
            className="flex-none px-3"
            onClick={deck.toggle}
          >
            <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3">
              <path
                d={isPlaying ? "M1 0h3.5v12H1zM7.5 0H11v12H7.5z" : "M1 0 12 6 1 12Z"}
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
            onChange={({ target }) => deck.seek(Number(target.value))}
          />
          <span aria-hidden="true" className="flex-none text-dim tabular-nums">
            {clock(at)} / {clock(length)}
          </span>
        </div>
      )}
    </section>
  );
}
