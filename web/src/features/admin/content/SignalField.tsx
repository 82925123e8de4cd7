// The label's colour: a picker beside its text, and a preview of what it is used for.
import type { CSSProperties } from "react";
import { useLabelName } from "../../../ui/labelName.ts";

const COLOUR = /^#[\da-f]{6}$/i;

/** For a field that is empty or not a colour yet. */
function current(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--color-signal").trim();
}

interface ColourPickerProps {
  value: string;
  onPick: (colour: string) => void;
}

export function ColourPicker({ value, onPick }: ColourPickerProps) {
  const typed = value.trim();
  return (
    <input
      type="color"
      aria-label="Pick the colour"
      className="mb-3 h-11 w-20 cursor-pointer border border-hairline bg-ground"
      value={COLOUR.test(typed) ? typed.toLowerCase() : current()}
      onChange={({ target }) => onPick(target.value)}
    />
  );
}

export function SignalPreview({ colour }: { colour: string }) {
  const label = useLabelName();
  const style = COLOUR.test(colour) ? ({ "--color-signal": colour } as CSSProperties) : undefined;
  return (
    <div aria-hidden="true" style={style} className="mt-4 border border-hairline text-ink">
      <div className="flex items-baseline justify-between gap-4 border-hairline border-b px-4 py-3">
        <span className="type-wordmark">{label}</span>
        <span className="type-label text-signal">Releases</span>
      </div>
      <div className="flex flex-wrap items-center gap-4 p-4">
        <span className="button button-main">Button</span>
        <span className="button outline-2 outline-signal outline-offset-2">Focus</span>
        <span className="text-signal">Something is missing here.</span>
      </div>
      <div className="flex gap-4 border-hairline border-t p-4">
        <span className="size-16 bg-signal" />
        <span>
          <span className="type-row block">A release</span>
          <span className="type-label text-dim">404-001</span>
        </span>
      </div>
    </div>
  );
}
