// Imports releases from a table: choose a file, check every row, import, and undo.
import { useQuery } from "@tanstack/react-query";
import { IMPORT_UNDO_HOURS } from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { Modal } from "../../../ui/Modal.tsx";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { GuessedEncoding, ImportColumns, ImportRows } from "./ImportTable.tsx";
import { TableFile } from "./TableFile.tsx";
import {
  type DateOrder,
  type Import,
  type ImportPreview,
  importsQuery,
  type Undone,
  useImport,
  type YearAlone,
} from "./useImport.ts";

const YEAR_CHOICES: readonly (readonly [choice: YearAlone, label: string])[] = [
  ["first_day", "Use the first day"],
  ["last_day", "Use the last day"],
  ["leave_out", "Leave these rows out"],
];

const ORDER_CHOICES: readonly (readonly [choice: DateOrder, label: string])[] = [
  ["day_first", "Day first: 03/12/2019 is 3 December"],
  ["month_first", "Month first: 03/12/2019 is March 12"],
];

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const table = useImport();
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
      {/* Keeps a focused field above the sticky footer. */}
      <div className="flex flex-col gap-6 p-gutter [&_:is(input,select,button)]:scroll-mb-32">
        {imported ? (
          <Imported table={table} onClose={onClose} />
        ) : (
          <>
            <TableFile
              label="CSV or TSV file"
              accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
              hint="The first line names the columns. Nothing is written before you have seen every row."
              file={table.file}
              isBusy={table.isImporting}
              onTake={table.take}
            />
            <p role="alert" className="text-signal empty:hidden">
              {table.problem}
            </p>
            <p role="status" className={table.isPreviewing ? "text-dim" : "sr-only"}>
              {table.isPreviewing ? "Reading the table..." : preview && countsText(preview)}
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
              isBusy={table.isImporting || table.isPreviewing}
              onClick={table.importNow}
            >
              {table.isImporting ? "Importing..." : `Import ${releases(writtenCount(preview))}`}
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
      // Choices made while it is sent would have no effect.
      disabled={table.isImporting}
      aria-busy={table.isPreviewing}
      className={`flex min-w-0 flex-col gap-6 ${table.isPreviewing ? "opacity-40" : ""}`}
    >
      <p className="tabular-nums">{countsText(preview)}</p>
      <ImportColumns
        preview={preview}
        chosen={choices.columns}
        onChoose={(columns) => choose({ columns })}
      />
      <GuessedEncoding encoding={preview.encoding} />
      {(counts.asks_for_day > 0 || choices.yearAlone !== undefined) && (
        <RadioGroup
          isQuestion
          label={
            counts.asks_for_day > 0
              ? `${rows(counts.asks_for_day)} with a year or a month, but no day.`
              : "Rows with a year or a month, but no day."
          }
          choices={YEAR_CHOICES}
          value={choices.yearAlone}
          onChoose={(yearAlone) => choose({ yearAlone })}
        />
      )}
      {(counts.asks_for_order > 0 || choices.dateOrder !== undefined) && (
        <RadioGroup
          isQuestion
          label={
            counts.asks_for_order > 0
              ? `${rows(counts.asks_for_order)} with a date that can be read in two ways.`
              : "Rows with a date that can be read in two ways."
          }
          choices={ORDER_CHOICES}
          value={choices.dateOrder}
          onChoose={(dateOrder) => choose({ dateOrder })}
        />
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
        <p className="text-dim">It can be undone for {IMPORT_UNDO_HOURS} hours.</p>
      )}
      <div className="type-label flex flex-wrap gap-3">
        <Button data-focus-home variant="main" onClick={onClose}>
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

function writtenCount({ counts }: ImportPreview): number {
  return counts.add + counts.change;
}

function countsText({ counts }: ImportPreview): string {
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

function RecentImports({ table }: { table: Import }) {
  const { data } = useQuery(importsQuery);
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label="Recent imports">
      <h3 tabIndex={-1} data-focus-home className="type-label mb-3 uppercase">
        Recent imports
      </h3>
      <p role="alert" className="text-signal empty:hidden">
        {table.undoProblem}
      </p>
      {table.undone && <UndoneNotice undone={table.undone} />}
      <ul className="border-hairline border-t text-[0.75rem]">
        {items.map(({ id, file_name, created_at, added, changed, undone_at, can_be_undone }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b py-2"
          >
            <span className="min-w-0">
              {file_name}{" "}
              <span className="text-dim tabular-nums">
                <time dateTime={created_at}>{day(created_at)}</time>, {added} new, {changed} changed
              </span>
            </span>
            {undone_at && <span className="text-dim">Undone</span>}
            {can_be_undone && (
              <Button
                variant="destroy"
                className="type-label"
                isBusy={table.isUndoing}
                aria-label={`Undo import of ${file_name}`}
                onClick={() => table.undo(id)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function UndoneNotice({ undone }: { undone: Undone }) {
  const { left } = undone;
  return (
    <div role="status" className="flex flex-col gap-2 py-3">
      <p>
        {undone.undone} {undone.undone === 1 ? "row is" : "rows are"} as before.
      </p>
      {left.length > 0 && (
        <>
          <p>Left as they are, because they were edited since:</p>
          <ul aria-label="Left as they are">
            {left.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
