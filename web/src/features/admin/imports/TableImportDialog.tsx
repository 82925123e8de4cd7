// The dialog of an import: choose a file, see every row, import, and undo.
import type { ReactNode } from "react";
import { IMPORT_UNDO_HOURS } from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { day } from "../../../ui/dates.ts";
import { Modal } from "../../../ui/Modal.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { TableFile } from "./TableFile.tsx";
import type { TableImport } from "./useTableImport.ts";

interface Written {
  id: string;
  file_name: string;
  created_at: string;
  undone_at?: string | null;
  can_be_undone: boolean;
}

interface TableImportDialogProps<Choices, Check, Imported, Undone> {
  title: string;
  /** The word for the file: a table, a list. */
  noun: string;
  table: TableImport<Choices, Check, Imported, Undone>;
  picker: { label: string; accept: string; hint: string };
  draw: (check: Check) => ReactNode;
  /** A check in one line, for screen readers. */
  summaryOf: (check: Check) => string;
  /** Counts the rows that an import writes, with their name. */
  writtenOf: (check: Check) => string;
  recent: readonly Imported[] | undefined;
  /** Numbers of the import that has just been written. */
  resultOf: (imported: Imported) => string;
  nextOf?: (imported: Imported) => ReactNode;
  /** Numbers of a recent import. */
  lineOf: (imported: Imported) => string;
  drawUndone: (undone: Undone) => ReactNode;
  onClose: () => void;
}

export function TableImportDialog<
  Choices,
  Check extends { refusal?: string | null },
  Imported extends Written,
  Undone,
>(props: TableImportDialogProps<Choices, Check, Imported, Undone>) {
  const { title, noun, table, picker, draw, summaryOf, writtenOf, onClose } = props;
  const { resultOf, drawUndone, recent } = props;
  const { check, imported, undone } = table;
  // Perhaps by another admin, which only the list of imports says.
  const isListedUndone = recent?.some(({ id, undone_at }) => id === imported?.id && undone_at);
  const isUndone = undone !== undefined || (isListedUndone === true && !table.isUndoing);
  const { askBefore, question } = useUnsaved(
    table.isUndoing || (table.file !== undefined && !imported && !table.mayBeImported),
    table.isUndoing
      ? "This import is being undone, and leaving does not stop it. Only this dialog says what it leaves as it is."
      : table.isImporting
        ? `This ${noun} is being imported, and leaving does not stop it. Its result appears among the recent imports.`
        : `This ${noun} is not imported yet. Leaving throws away what you chose for it.`,
  );
  const close = () => askBefore(onClose);
  return (
    <Modal title={title} onClose={close} isWide>
      {/* Keeps a focused field above the sticky footer. */}
      <div className="flex flex-col gap-6 p-gutter [&_:is(input,select,button)]:scroll-mb-32">
        {/* There before its words, which would not be announced otherwise. */}
        <div role="status" className="flex flex-col gap-6 empty:-mb-6">
          {imported && (
            <p className="type-lead">
              {isUndone ? "The import is undone." : `Imported: ${resultOf(imported)}.`}
            </p>
          )}
          {imported && undone && (
            <div className="flex flex-col gap-2 py-3">{drawUndone(undone)}</div>
          )}
        </div>
        {imported ? (
          <>
            <p role="alert" className="text-signal empty:hidden">
              {table.undoProblem}
            </p>
            {!isUndone && (
              <p className="text-dim">
                {props.nextOf?.(imported)}
                It can be undone for {IMPORT_UNDO_HOURS} hours.
              </p>
            )}
            <div className="type-label flex flex-wrap gap-3">
              <Button data-focus-home variant="main" onClick={close}>
                Done
              </Button>
              {!isUndone && (
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
        ) : (
          <>
            <TableFile
              {...picker}
              file={table.file}
              isBusy={table.isImporting || table.isUndoing}
              onTake={table.take}
            />
            <p role="alert" className="text-signal empty:hidden">
              {table.problem}
            </p>
            {table.checkAgain && (
              <div>
                <Button onClick={table.checkAgain}>Try Again</Button>
              </div>
            )}
            {/* Seen for the first check only: later, a line more would move what is being pressed. */}
            <p role="status" className={table.isChecking && !check ? "text-dim" : "sr-only"}>
              {table.isChecking ? `Reading the ${noun}...` : check && summaryOf(check)}
            </p>
            {check && !table.problem && (
              <fieldset
                // Choices made while it is sent would have no effect.
                disabled={table.isImporting}
                aria-busy={table.isChecking}
                className={`flex min-w-0 flex-col gap-6 ${table.isChecking ? "opacity-40" : ""}`}
              >
                {draw(check)}
              </fieldset>
            )}
            {(!table.file || table.mayBeImported) && <Recent {...props} />}
          </>
        )}
      </div>
      {check && !table.problem && !imported && (
        <footer className="sticky -bottom-gutter flex flex-col gap-4 border-hairline border-t bg-ground p-gutter">
          <p role="alert" className="text-signal empty:hidden">
            {table.importProblem}
          </p>
          {check.refusal && <p className="text-signal">{check.refusal}.</p>}
          <div className="type-label flex flex-wrap gap-3">
            <Button
              variant="main"
              disabled={check.refusal !== null}
              isBusy={table.isImporting || table.isChecking}
              onClick={table.importNow}
            >
              {table.isImporting ? "Importing..." : `Import ${writtenOf(check)}`}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </footer>
      )}
      {question}
    </Modal>
  );
}

function Recent<Choices, Check, Imported extends Written, Undone>({
  table,
  recent = [],
  lineOf,
  drawUndone,
}: TableImportDialogProps<Choices, Check, Imported, Undone>) {
  if (recent.length === 0) return null;
  return (
    <section aria-label="Recent imports">
      <h3 tabIndex={-1} data-focus-home className="type-label mb-3 uppercase">
        Recent imports
      </h3>
      <p role="alert" className="text-signal empty:hidden">
        {table.undoProblem}
      </p>
      <div role="status" className="flex flex-col gap-2 py-3 empty:py-0">
        {table.undone && drawUndone(table.undone)}
      </div>
      <ul className="border-hairline border-t text-[0.75rem]">
        {recent.map((item) => (
          <li
            key={item.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b py-2"
          >
            <span
              tabIndex={-1}
              data-focus-home
              className="min-w-0 [overflow-wrap:anywhere] outline-none"
            >
              {item.file_name}{" "}
              <span className="text-dim tabular-nums">
                <time dateTime={item.created_at}>{day(item.created_at)}</time>, {lineOf(item)}
              </span>
            </span>
            {item.undone_at && <span className="text-dim">Undone</span>}
            {item.can_be_undone && (
              <Button
                variant="destroy"
                className="type-label"
                isBusy={table.isUndoing}
                aria-label={`Undo import of ${item.file_name}`}
                onClick={() => table.undo(item.id)}
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
