import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { Button } from "../../../ui/Button.tsx";
import { dayAndTime } from "../../../ui/dates.ts";
import { useOnePlaying } from "../../../ui/useOnePlaying.ts";
import { type Choice, ChooseBox } from "../lists/choice.tsx";
import { ListHead, useList } from "../lists/ListHead.tsx";
import { ListStates, MoreButton } from "../lists/RowList.tsx";
import { ariaSort, type Column, SortHead } from "../lists/RowTable.tsx";
import { emptyText } from "../lists/useRows.ts";
import { sizeOf } from "../sizeOf.ts";
import { DemoPlayer } from "./DemoPlayer.tsx";
import { type Demo, demoCalls, fileOf, isSound, mailTo } from "./demo.ts";
import { FoldedText } from "./FoldedText.tsx";

const MESSAGES = { deleted: "demo_deleted", deleteFailed: "demo_delete_failed" } as const;

const COLUMNS: readonly Column[] = [
  { name: "Artist", className: "md:w-[30%] md:pl-gutter", by: "artist" },
  { name: "File Name", by: "file" },
  { name: "Size", className: "md:w-28 md:text-right", by: "size" },
  { name: "Submitted", className: "md:w-36 md:text-right", by: "submitted" },
  { name: "Actions", className: "md:w-36 md:pr-gutter lg:w-88 md:text-right" },
];

export function DemoInbox() {
  const list = useList({ calls: demoCalls, messages: MESSAGES, prefix: "demo_" });
  const { address, rows, choice, remove } = list;
  const [playing, toggle] = useOnePlaying();
  return (
    <section aria-label="Demo Submissions">
      <ListHead
        list={list}
        id="demo-submissions"
        name="Demo Submissions"
        searchLabel="Search demos"
        nouns={["demo", "demos"]}
        buttons={
          <Link to="/admin/demos" className="button flex-none">
            OPEN THE DESK
          </Link>
        }
      />
      <ListStates
        label="Demo Submissions"
        rows={rows}
        loadFailed="demos_load_failed"
        empty={emptyText(address.asked, "No demo submissions yet")}
      >
        <table
          {...ROLES.table}
          className="block w-full border-collapse text-[0.75rem] md:table md:table-fixed"
        >
          <caption className="sr-only">
            Demo Submissions{!address.asked.sort && ", the newest first"}
          </caption>
          {/* On phones the head is for screen readers, and appears once one of its buttons has the focus. */}
          <thead
            {...ROLES.rowgroup}
            className="sr-only focus-within:not-sr-only md:not-sr-only md:table-header-group"
          >
            <tr
              {...ROLES.row}
              className="type-label text-left text-dim uppercase md:border-hairline md:border-b"
            >
              {COLUMNS.map(({ name, className = "", by }) => (
                <th
                  {...ROLES.columnheader}
                  key={name}
                  scope="col"
                  aria-sort={ariaSort(address, by)}
                  className={`py-2 font-[400] md:px-3 ${className}`}
                >
                  <SortHead name={name} by={by} address={address} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...ROLES.rowgroup} className="block md:table-row-group">
            {rows.pages?.flatMap(({ items }) =>
              items.map((demo) => (
                <DemoRow
                  key={demo.id}
                  demo={demo}
                  choice={choice}
                  isPlaying={playing === demo.id}
                  onPlay={toggle}
                  onDelete={remove}
                />
              )),
            )}
          </tbody>
        </table>
        <MoreButton label="Demo Submissions" rows={rows} />
      </ListStates>
    </section>
  );
}

interface DemoRowProps {
  demo: Demo;
  isPlaying: boolean;
  /** These are the same on every render. */
  choice: Choice;
  onPlay: (id: string) => void;
  onDelete: (event: MouseEvent, id: string) => void;
}

const DemoRow = memo(function DemoRow({ demo, isPlaying, choice, onPlay, onDelete }: DemoRowProps) {
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
            <p className="type-row">
              <bdi>{label}</bdi>
            </p>
            {typed !== label && (
              <p className="text-dim">
                <bdi>{typed}</bdi>
              </p>
            )}
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
        <p className="text-dim">
          <bdi>{demo.original_name}</bdi>
        </p>
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
const ROLES = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
