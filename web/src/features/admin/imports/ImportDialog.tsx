// Brings releases in from a table: choose a file, look at every row, import all of it, and take it back.
import { useId } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Modal } from "../../../ui/Modal.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { ImportColumns } from "./ImportColumns.tsx";
import { ImportRows } from "./ImportRows.tsx";
import type { ImportPreview, YearAlone } from "./importCalls.ts";
import { RecentImports, UndoneNotice } from "./RecentImports.tsx";
import { type Import, useImport } from "./useImport.ts";

const YEAR_CHOICES: readonly (readonly [choice: YearAlone, label: string])[] = [
  ["first_day", "Use the first day"],
  ["last_day", "Use the last day"],
  ["leave_out", "Leave these rows out"],
];

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const table = useImport();
  const fileId = useId();
  const { preview, imported } = table;
  const { askBefore, question } = useUnsaved(
    table.file !== undefined && !imported,
    table.isImporting
      ? "This table is being imported, and leaving does not stop it. What came of it will stand among the recent imports."
      : "This table is not imported yet. Leaving throws away what you chose for it.",
  );
  const close = () => askBefore(onClose);
  return (
    <Modal title="Import Releases" onClose={close} isWide>
      <div className="flex flex-col gap-6 p-gutter">
        {imported ? (
          <Imported table={table} onClose={onClose} />
        ) : (
          <>
            <div className="flex flex-col gap-2">
              <label htmlFor={fileId} className="type-label uppercase">
                CSV or TSV file
              </label>
              <input
                id={fileId}
                type="file"
                disabled={table.isImporting}
                accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
                aria-describedby={`${fileId}-hint`}
                className="field file:type-label cursor-pointer py-1.5 file:mr-4 file:min-h-8 file:cursor-pointer file:border file:border-ink file:border-solid file:bg-ground file:px-3 file:text-ink file:uppercase"
                // Emptied, so that choosing the mended table again is a change too.
                onClick={({ currentTarget }) => {
                  currentTarget.value = "";
                }}
                onChange={({ target }) => target.files?.[0] && table.take(target.files[0])}
              />
              <p id={`${fileId}-hint`} className="text-dim">
                The first line names the columns. Nothing is written before you have seen every row.
              </p>
            </div>
            <p role="alert" className="text-signal empty:hidden">
              {table.problem}
            </p>
            <p role="status" className={table.isLooking ? "text-dim" : "sr-only"}>
              {table.isLooking ? "Reading the table..." : preview && said(preview)}
            </p>
            {preview && !table.problem && <Preview table={table} preview={preview} />}
            {!table.file && <RecentImports table={table} />}
          </>
        )}
      </div>
      {preview && !table.problem && !imported && (
        <footer className="sticky -bottom-gutter flex flex-col gap-4 border-hairline border-t bg-ground p-gutter">
          <p role="alert" className="text-signal empty:hidden">
            {table.importProblem}
          </p>
          {preview.refusal && <p className="text-signal">{preview.refusal}.</p>}
          <div className="type-label flex flex-wrap gap-3">
            <Button
              variant="main"
              disabled={preview.refusal !== null}
              isBusy={table.isImporting || table.isLooking}
              onClick={table.importNow}
            >
              {table.isImporting ? "Importing..." : `Import ${releases(writes(preview))}`}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </footer>
      )}
      {question}
    </Modal>
  );
}

function Preview({ table, preview }: { table: Import; preview: ImportPreview }) {
  const { choices, choose } = table;
  const { counts } = preview;
  return (
    <fieldset
      // What is sent is settled; a choice made now would change nothing of it.
      disabled={table.isImporting}
      aria-busy={table.isLooking}
      className={`flex min-w-0 flex-col gap-6 ${table.isLooking ? "opacity-40" : ""}`}
    >
      <p className="tabular-nums">{said(preview)}</p>
      <ImportColumns
        preview={preview}
        chosen={choices.columns}
        onChoose={(columns) => choose({ columns })}
      />
      {(counts.asks_for_day > 0 || choices.yearAlone !== undefined) && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2">
            {counts.asks_for_day > 0
              ? `${rows(counts.asks_for_day)} with a year or a month, but no day.`
              : "Rows with a year or a month, but no day."}
          </legend>
          {YEAR_CHOICES.map(([choice, label]) => (
            <label key={choice} className="flex min-h-9 items-center gap-3">
              <input
                type="radio"
                name="year-alone"
                checked={choices.yearAlone === choice}
                className="size-4 accent-signal"
                onChange={() => choose({ yearAlone: choice })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex flex-col gap-3">
        <Switch
          label="Import new releases as drafts"
          checked={choices.asDrafts}
          onChange={({ target }) => choose({ asDrafts: target.checked })}
        />
        {(counts.refused > 0 || choices.leaveOutRefused) && (
          <Switch
            label={`Leave out ${rows(counts.refused)} that cannot be imported`}
            checked={choices.leaveOutRefused}
            onChange={({ target }) => choose({ leaveOutRefused: target.checked })}
          />
        )}
      </div>
      <ImportRows rows={preview.rows} />
    </fieldset>
  );
}

function Imported({ table, onClose }: { table: Import; onClose: () => void }) {
  const { imported, undone } = table;
  if (!imported) return null;
  const { added, changed, artists } = imported;
  return (
    <>
      <p role="status" className="type-lead">
        {undone
          ? "The import is undone."
          : `Imported: ${added} new, ${changed} changed, ${artists} new ${artists === 1 ? "artist" : "artists"}.`}
      </p>
      <p role="alert" className="text-signal empty:hidden">
        {table.undoProblem}
      </p>
      {undone ? (
        <UndoneNotice undone={undone} />
      ) : (
        <p className="text-dim">It can be undone for 24 hours.</p>
      )}
      <div className="type-label flex flex-wrap gap-3">
        <Button variant="main" onClick={onClose}>
          Done
        </Button>
        {!undone && (
          <Button
            variant="destroy"
            isBusy={table.isUndoing}
            onClick={() => table.undo(imported.id)}
          >
            {table.isUndoing ? "Undoing..." : "Undo Import"}
          </Button>
        )}
      </div>
    </>
  );
}

/** How many releases are written. */
function writes({ counts }: ImportPreview): number {
  return counts.add + counts.change;
}

function said({ counts }: ImportPreview): string {
  const parts = [
    `${counts.add} new`,
    `${counts.change} changed`,
    counts.unchanged > 0 && `${counts.unchanged} unchanged`,
    counts.new_artists > 0 &&
      `${counts.new_artists} new ${counts.new_artists === 1 ? "artist" : "artists"}`,
    counts.left_out > 0 && `${counts.left_out} left out`,
    counts.refused > 0 && `${counts.refused} that cannot be imported`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

function rows(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}

function releases(count: number): string {
  return `${count} ${count === 1 ? "release" : "releases"}`;
}
