import { useMemo, useState } from "react";
import { Select } from "../../../ui/Select.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { releaseConfig } from "../releases/releaseConfig.ts";
import { TableRows } from "./TableRows.tsx";
import type { ImportPreview, ImportRow } from "./useImport.ts";

const LABELS: Readonly<Record<string, string>> = {
  ...releaseConfig.labels,
  id: "Id",
  state: "State",
  artist: "Artist",
  goes_out_at: "Goes Out At",
};

/** The label of a field; for a track or credit, its list and line. */
function labelOf(field: string): string {
  const [, list = field, index] = /^(\w+)\[(\d+)\]/.exec(field) ?? [];
  const label = LABELS[list] ?? list;
  return index === undefined ? label : `${label}, line ${Number(index) + 1}`;
}

interface ImportColumnsProps {
  preview: Pick<ImportPreview, "columns" | "fields">;
  labels?: Readonly<Record<string, string>>;
  chosen: readonly (string | null)[] | undefined;
  onChoose: (columns: (string | null)[]) => void;
}

export function ImportColumns({ preview, labels, chosen, onChoose }: ImportColumnsProps) {
  const { columns, fields } = preview;
  const options = [
    ["", "Not imported"] as const,
    ...fields.map((name) => [name, labels?.[name] ?? labelOf(name)] as const),
  ];
  const present = chosen ?? columns.map((column) => column.field ?? null);

  function choose(index: number, field: string): void {
    // Each field is taken from one column only.
    const others = present.map((other) => (other === field ? null : other));
    onChoose(others.with(index, field || null));
  }

  return (
    <details open={columns.length <= 12}>
      <summary className="type-label min-h-6 cursor-pointer uppercase">Columns</summary>
      <ul aria-label="Columns" className="mt-3 border-hairline border-t text-[0.75rem]">
        {columns.map(({ header, samples }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the table
            key={index}
            className="grid items-center gap-x-6 gap-y-2 border-hairline border-b py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_14rem]"
          >
            <span>{header || `Column ${index + 1}`}</span>
            <span className="truncate text-dim">{samples.join(" / ")}</span>
            <Select
              label={`Field of ${header || `column ${index + 1}`}`}
              options={options}
              value={present[index] ?? ""}
              onChoose={(field) => choose(index, field)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Guessed encodings that the reader should check. */
const GUESSED: Readonly<Record<string, string>> = {
  "windows-1252": "Windows-1252",
  macintosh: "Mac Roman",
};

export function GuessedEncoding({ encoding }: { encoding: string }) {
  if (!GUESSED[encoding]) return null;
  return (
    <p className="text-signal">
      The file is not UTF-8 and was read as {GUESSED[encoding]}. Check that names with accents look
      right.
    </p>
  );
}

const VERDICTS: Readonly<Record<string, string>> = {
  add: "New",
  change: "Changes",
  unchanged: "Unchanged",
  asks_for_day: "No day",
  asks_for_order: "Which day",
  left_out: "Left out",
  refused: "Problem",
};

/** Rows that cannot be imported as they are. */
const UNSETTLED = new Set(["refused", "asks_for_day", "asks_for_order"]);

type Listed = ImportRow & { id: string };

export function ImportRows({ rows }: { rows: readonly ImportRow[] }) {
  const [isNarrowed, setNarrowed] = useState(false);
  const hasProblems = rows.some(needsCare);
  const isFiltered = isNarrowed && hasProblems;
  const listed = useMemo(() => {
    const shown = isFiltered ? rows.filter(needsCare) : rows;
    return shown.map((row): Listed => ({ ...row, id: String(row.line) }));
  }, [rows, isFiltered]);
  return (
    <section aria-label="Rows" className="flex flex-col gap-3">
      {hasProblems && (
        <Switch
          label="Only rows with problems"
          checked={isNarrowed}
          onChange={({ target }) => setNarrowed(target.checked)}
        />
      )}
      <TableRows label="Rows of the table" rows={listed} draw={draw} />
    </section>
  );
}

function needsCare({ verdict, repeats_number }: ImportRow): boolean {
  return UNSETTLED.has(verdict) || repeats_number;
}

const draw = (row: Listed) => <Line row={row} />;

function Line({ row }: { row: Listed }) {
  const { line, verdict, title, artist, artist_is_new, catalog, release_date } = row;
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-2 text-[0.75rem] sm:grid-cols-[3rem_minmax(0,1fr)_12rem]">
      <span className="text-right text-dim tabular-nums">
        <span className="sr-only">Line </span>
        {line}
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <bdi className="type-row">{title || "No title"}</bdi>
          <span
            className={`type-label border px-1.5 uppercase ${UNSETTLED.has(verdict) ? "border-signal text-signal" : "border-dim"}`}
          >
            {VERDICTS[verdict] ?? verdict}
          </span>
        </p>
        <p className="text-dim">
          <bdi>{artist || "Unknown Artist"}</bdi>
          {artist_is_new && " (new)"}
        </p>
        <ul className="text-signal empty:hidden">
          {Object.entries(row.problems).map(([field, message]) => (
            <li key={field}>
              {labelOf(field)}: {message}
            </li>
          ))}
          {verdict === "asks_for_day" && <li>{release_date} is no day</li>}
          {verdict === "asks_for_order" && <li>{release_date} can be two days</li>}
        </ul>
        {row.repeats_number && (
          <p className="text-dim">Another release has the number {catalog}.</p>
        )}
      </div>
      <p className="col-start-2 flex gap-4 tabular-nums sm:col-start-3 sm:flex-col sm:gap-0 sm:text-right">
        <span className="text-signal">{catalog}</span>
        <span className="text-dim">{release_date}</span>
      </p>
    </div>
  );
}
