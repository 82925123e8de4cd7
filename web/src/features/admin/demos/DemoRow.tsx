import { type MouseEvent, memo } from "react";
import { Button } from "../../../ui/Button.tsx";
import { dayAndTime } from "../../../ui/dates.ts";
import { type Choice, ChooseBox } from "../lists/choice.tsx";
import { sizeOf } from "../sizeOf.ts";
import { DemoPlayer } from "./DemoPlayer.tsx";
import { type Demo, fileOf, isSound, mailTo } from "./demo.ts";
import { FoldedText } from "./FoldedText.tsx";

interface DemoRowProps {
  demo: Demo;
  isPlaying: boolean;
  /** These are the same on every render. */
  choice: Choice;
  onPlay: (id: string) => void;
  onDelete: (event: MouseEvent, id: string) => void;
}

export const DemoRow = memo(function DemoRow({
  demo,
  isPlaying,
  choice,
  onPlay,
  onDelete,
}: DemoRowProps) {
  const { id, artist_label: label, artist_name: typed } = demo;
  return (
    <tr
      {...ROLES.row}
      tabIndex={-1}
      data-focus-home
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 border-hairline border-b px-gutter py-3 align-top -outline-offset-2 hover:bg-ink/4 md:table-row md:p-0"
    >
      <td {...ROLES.cell} className="col-span-2 md:py-3 md:pr-3 md:pl-gutter">
        <div className="flex items-start gap-3">
          <ChooseBox choice={choice} id={id} name={label} />
          <div className="min-w-0">
            <p className="type-row">{label}</p>
            {typed !== label && <p className="text-dim">{typed}</p>}
            <p className="mt-0.5">
              <a href={mailTo(demo.email)} className="text-link decoration-hairline">
                {demo.email}
              </a>
            </p>
            {demo.message && (
              <FoldedText
                text={demo.message}
                maxLength={400}
                maxLines={8}
                clamp="line-clamp-6"
                className="mt-2 max-w-[60ch] text-dim"
              />
            )}
          </div>
        </div>
      </td>
      <td {...ROLES.cell} className="col-span-2 md:p-3">
        <p>{demo.file_name}</p>
        <p className="text-dim">{demo.original_name}</p>
        {isPlaying && <DemoPlayer demo={demo} />}
      </td>
      <td {...ROLES.cell} className="text-dim tabular-nums md:p-3 md:text-right md:text-ink">
        {sizeOf(demo.size_bytes)}
      </td>
      <td {...ROLES.cell} className="text-right text-dim tabular-nums md:p-3">
        <time dateTime={demo.submitted_at}>{dayAndTime(demo.submitted_at)}</time>
      </td>
      <td {...ROLES.cell} className="col-span-2 md:py-3 md:pr-gutter md:pl-3">
        <div className="type-label flex flex-wrap gap-2 md:justify-end">
          {isSound(demo) && (
            <Button
              variant={isPlaying ? "live" : "outline"}
              aria-label={`${isPlaying ? "Close the player of" : "Play"} ${label}`}
              onClick={() => onPlay(id)}
            >
              {isPlaying ? "Close" : "Play"}
            </Button>
          )}
          <a href={fileOf(demo)} download aria-label={`Download ${label}`} className="button">
            Download
          </a>
          <Button
            variant="destroy"
            aria-label={`Delete ${label}`}
            onClick={(event) => onDelete(event, id)}
          >
            Delete
          </Button>
        </div>
      </td>
    </tr>
  );
});

/** Stated because Safari ignores the parts of a table that is laid out as blocks, as on phones. */
export const ROLES = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
