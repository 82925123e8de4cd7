// Where the file goes in: a button that opens the file picker, and a plate to drop on.
import { type RefObject, useId } from "react";
import { DEMO_ACCEPT, DEMO_MAX_MB } from "../../rules/generated/constants.ts";
import { wholeSize } from "../../ui/measures.ts";
import { useFilePicker } from "../../ui/useFilePicker.tsx";
import { Lacquer } from "./Lacquer.tsx";
import type { Dropped } from "./useChosenFile.ts";

interface DropZoneProps {
  file: File | undefined;
  /** A line about the file; undefined while it is read, empty if unknown. */
  line: string | undefined;
  error: string | undefined;
  /** True while something is dragged over the window. */
  isOver: boolean;
  onChosen: (chosen: Dropped) => void;
  onRemove: () => void;
  opener: RefObject<HTMLButtonElement | null>;
}

export function DropZone({ file, line, error, isOver, onChosen, onRemove, opener }: DropZoneProps) {
  const id = useId();
  const { open, picker } = useFilePicker(
    { accept: DEMO_ACCEPT },
    ([chosen]) => chosen && onChosen({ file: chosen }),
  );

  return (
    <div className="flex h-full flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span id={`${id}-label`} className="type-label uppercase">
          Demo file
        </span>
        {file && (
          <button
            type="button"
            className="type-label -my-3 min-h-11 text-dim text-link decoration-hairline uppercase hover:text-ink"
            onClick={onRemove}
          >
            Remove
            <span className="sr-only"> the file</span>
          </button>
        )}
      </div>
      {picker}
      <button
        ref={opener}
        data-focus-home
        id={`${id}-button`}
        type="button"
        aria-labelledby={`${id}-label ${id}-button`}
        aria-describedby={error ? `${id}-required ${id}-error` : `${id}-required`}
        className={`group flex flex-1 flex-wrap items-center gap-5 border p-4 text-left transition-colors hover:border-ink md:min-h-80 md:flex-col md:flex-nowrap md:items-stretch md:gap-4 ${
          error ? "border-signal" : isOver ? "border-ink bg-ink/6" : "border-dim"
        } ${file ? "" : "border-dashed"}`}
        onClick={open}
      >
        <span className="relative max-w-full flex-none md:mx-auto md:w-full md:max-w-64">
          <Lacquer
            seed={file?.name ?? ""}
            cut={0}
            className="aspect-square w-24 max-w-full md:w-full"
          />
          <span
            aria-hidden="true"
            className={`absolute inset-0 m-auto size-3 transition-colors md:size-4 ${
              file && !error
                ? "bg-ink"
                : isOver || error
                  ? "bg-signal"
                  : "bg-dim group-hover:bg-ink"
            }`}
          />
        </span>
        <span className="flex min-w-0 flex-[1_1_6rem] flex-col gap-1 md:flex-none">
          <span dir="auto" className={file ? "line-clamp-3 break-all" : ""}>
            {isOver ? "Let go to take this file" : (file?.name ?? "Choose a file or drop it here")}
          </span>
          {/* Between them where they are read out. */ " "}
          {file && (
            // As high from the beginning, on phones two lines: nothing moves when it is known.
            <span className="min-h-[2lh] sm:min-h-lh">
              {line ?? <span className="text-dim">Reading…</span>}
            </span>
          )}{" "}
          <span className="text-dim">
            {file ? `${wholeSize(file.size)}. Press to choose another.` : ACCEPTED}
          </span>
        </span>
      </button>
      {/* A button cannot say so as a field does. */}
      <span id={`${id}-required`} hidden>
        Required
      </span>
      <span role="status" className="sr-only">
        {line}
      </span>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-signal">
          {error}
        </p>
      )}
    </div>
  );
}

const ACCEPTED = `${DEMO_ACCEPT.replaceAll(",", " ")}. At most ${DEMO_MAX_MB}\u00a0MB.`;
