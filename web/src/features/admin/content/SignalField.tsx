// The label's colour: a picker beside its text, and a preview of what it is used for.
import { type CSSProperties, useState } from "react";
import { useLabelMark, useLabelName } from "../../../ui/labelName.ts";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { fitted, Wordmark } from "../../../ui/Wordmark.tsx";
import { useExampleNumber } from "../releases/CatalogNumbers.tsx";

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

const WIDTHS = [
  ["phone", "Phone"],
  ["desktop", "Desktop"],
] as const;

type Width = (typeof WIDTHS)[number][0];

/** A page and a mail with the label, at the width of a phone or of a desktop. */
export function SignalPreview({ colour }: { colour: string }) {
  const [width, setWidth] = useState<Width>("phone");
  const label = useLabelName();
  const number = useExampleNumber();
  const style = COLOUR.test(colour) ? ({ "--color-signal": colour } as CSSProperties) : undefined;
  return (
    <div className="mt-4 flex flex-col gap-4">
      <RadioGroup label="Width" choices={WIDTHS} value={width} onChoose={setWidth} />
      <div
        aria-hidden="true"
        style={style}
        className={`flex flex-col gap-4 text-ink ${width === "phone" ? "max-w-90" : ""}`}
      >
        <div className="border border-hairline">
          <div className="flex h-14 items-center justify-between gap-4 border-hairline border-b px-4">
            <span className="line-clamp-2 min-w-0 type-wordmark">
              <Wordmark />
            </span>
            {width === "phone" ? (
              <span className="button flex-none">MENU</span>
            ) : (
              <span className="type-label flex flex-none gap-6">
                <span className="text-signal">RELEASES</span>
                <span>ARTISTS</span>
              </span>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-4 p-4">
            <span className="button button-main">Button</span>
            <span className="button outline-2 outline-signal outline-offset-2">Focus</span>
            <span className="text-signal">Something is missing here.</span>
          </div>
          <div className="flex gap-4 border-hairline border-t p-4">
            <span className="size-16 flex-none bg-signal" />
            <span className="min-w-0">
              <span className="type-row block">A release</span>
              <span className="type-label text-signal">{number}</span>
            </span>
          </div>
        </div>
        <div className="border border-hairline bg-ground p-6">
          <Mark />
          <p className="mb-4 text-dim">{label}</p>
          <p className="type-heading mb-4">
            A mail <span className="text-signal">■</span>
          </p>
          <p className="mb-4">This is how mails of the label begin.</p>
          <p className="border-hairline border-t pt-4 text-dim">{label}</p>
        </div>
      </div>
    </div>
  );
}

/** Room for the mark in a mail, in pixels. */
const MAIL_ROOM = [240, 48] as const;

function Mark() {
  const mark = useLabelMark();
  if (!mark) return null;
  const [width, height] = fitted(mark, MAIL_ROOM);
  return <img src={mark.url} alt="" width={width} height={height} className="mb-3 h-auto" />;
}
