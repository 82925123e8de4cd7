// Imports subscribers from a list: choose a file, see the verdict on every row, import, and undo.
import { useQuery } from "@tanstack/react-query";
import { IMPORT_UNDO_HOURS } from "../../../../rules/generated/constants.ts";
import { Button } from "../../../../ui/Button.tsx";
import { day } from "../../../../ui/dates.ts";
import { Modal } from "../../../../ui/Modal.tsx";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { GuessedEncoding, ImportColumns } from "../../imports/ImportTable.tsx";
import { TableFile } from "../../imports/TableFile.tsx";
import { countOf, SubscriberRows, VerdictCounts, writtenCount } from "./SubscriberRows.tsx";
import {
  type SubscriberCheck,
  type SubscriberImport,
  type SubscriberImporting,
  subscriberImportsQuery,
  type UndoneSubscribers,
  useSubscriberImport,
} from "./useSubscriberImport.ts";

const FIELDS: Readonly<Record<string, string>> = {
  email: "Email address",
  status: "Status",
  inactive_reason: "Why inactive",
  confirmed_at: "Confirmed",
  subscribed_at: "Joined",
  left_at: "Left",
  cleaned_at: "Cleaned",
  member: "Id there",
};

export function SubscriberImportDialog({ onClose }: { onClose: () => void }) {
  const list = useSubscriberImport();
  const { check, imported } = list;
  const { askBefore, question } = useUnsaved(
    list.file !== undefined && !imported,
    list.isImporting
      ? "This list is being imported, and leaving does not stop it. Its result appears among the recent imports."
      : "This list is not imported yet. Leaving throws away what you chose for it.",
  );
  const close = () => askBefore(onClose);
  return (
    <Modal title="Import Subscribers" onClose={close} isWide>
      {/* Keeps a focused field above the sticky footer. */}
      <div className="flex flex-col gap-6 p-gutter [&_:is(input,select,button)]:scroll-mb-32">
        {imported ? (
          <Imported list={list} imported={imported} onClose={onClose} />
        ) : (
          <>
            <TableFile
              label="CSV, TSV or ZIP file"
              accept=".csv,.tsv,.txt,.zip,text/csv,text/tab-separated-values,text/plain,application/zip"
              hint="A list of subscribers, or the ZIP that Mailchimp exports. Nothing is written before you have seen what becomes of each row."
              file={list.file}
              isBusy={list.isImporting}
              onTake={list.take}
            />
            <p role="alert" className="text-signal empty:hidden">
              {list.problem}
            </p>
            <p role="status" className={list.isChecking ? "text-dim" : "sr-only"}>
              {list.isChecking ? "Reading the list..." : check && countOf(writtenCount(check))}
            </p>
            {check && !list.problem && <Checked list={list} check={check} />}
            {!list.file && <RecentImports list={list} />}
          </>
        )}
      </div>
      {check && !list.problem && !imported && (
        <footer className="sticky -bottom-gutter flex flex-col gap-4 border-hairline border-t bg-ground p-gutter">
          <p role="alert" className="text-signal empty:hidden">
            {list.importProblem}
          </p>
          {check.refusal && <p className="text-signal">{check.refusal}.</p>}
          <div className="type-label flex flex-wrap gap-3">
            <Button
              variant="main"
              disabled={check.refusal !== null}
              isBusy={list.isImporting || list.isChecking}
              onClick={list.importNow}
            >
              {list.isImporting ? "Importing..." : `Import ${countOf(writtenCount(check))}`}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </footer>
      )}
      {question}
    </Modal>
  );
}

function Checked({ list, check }: { list: SubscriberImporting; check: SubscriberCheck }) {
  const { files, passed_over } = check;
  return (
    <fieldset
      // Choices made while it is sent would have no effect.
      disabled={list.isImporting}
      aria-busy={list.isChecking}
      className={`flex min-w-0 flex-col gap-6 ${list.isChecking ? "opacity-40" : ""}`}
    >
      <VerdictCounts counts={check.counts} />
      {(files.length > 1 || passed_over.length > 0) && (
        <ul aria-label="Files" className="text-[0.75rem] [overflow-wrap:anywhere]">
          {files.map(({ name, rows }) => (
            <li key={name}>
              {name} <span className="text-dim tabular-nums">{countOf(rows)}</span>
            </li>
          ))}
          {passed_over.length > 0 && (
            <li className="text-dim">Not read: {passed_over.join(", ")}</li>
          )}
        </ul>
      )}
      <ImportColumns
        preview={check}
        labels={FIELDS}
        chosen={list.columns}
        onChoose={list.chooseColumns}
      />
      {[...new Set(files.map(({ encoding }) => encoding))].map((encoding) => (
        <GuessedEncoding key={encoding} encoding={encoding} />
      ))}
      <SubscriberRows check={check} />
    </fieldset>
  );
}

function numbersOf({ confirmed, unconfirmed, ended, suppressed }: SubscriberImport): string {
  const parts = [
    `${confirmed} confirmed`,
    `${unconfirmed} unconfirmed`,
    ended > 0 && `${ended} made inactive`,
    suppressed > 0 && `${suppressed} kept out`,
  ];
  return parts.filter(Boolean).join(", ");
}

interface ImportedProps {
  list: SubscriberImporting;
  imported: SubscriberImport;
  onClose: () => void;
}

function Imported({ list, imported, onClose }: ImportedProps) {
  const { undone } = list;
  return (
    <>
      <p role="status" className="type-lead">
        {undone ? "The import is undone." : `Imported: ${numbersOf(imported)}.`}
      </p>
      <p role="alert" className="text-signal empty:hidden">
        {list.undoProblem}
      </p>
      {undone ? (
        <UndoneNotice undone={undone} />
      ) : (
        <p className="text-dim">
          {imported.unconfirmed > 0 && "SEND CONFIRMATIONS asks those who are unconfirmed. "}
          The import can be undone for {IMPORT_UNDO_HOURS} hours.
        </p>
      )}
      <div className="type-label flex flex-wrap gap-3">
        <Button data-focus-home variant="main" onClick={onClose}>
          Done
        </Button>
        {!undone && (
          <Button variant="destroy" isBusy={list.isUndoing} onClick={() => list.undo(imported.id)}>
            {list.isUndoing ? "Undoing..." : "Undo Import"}
          </Button>
        )}
      </div>
    </>
  );
}

function RecentImports({ list }: { list: SubscriberImporting }) {
  const { data } = useQuery(subscriberImportsQuery);
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label="Recent imports">
      <h3 tabIndex={-1} data-focus-home className="type-label mb-3 uppercase">
        Recent imports
      </h3>
      <p role="alert" className="text-signal empty:hidden">
        {list.undoProblem}
      </p>
      {list.undone && <UndoneNotice undone={list.undone} />}
      <ul className="border-hairline border-t text-[0.75rem]">
        {items.map((item) => (
          <li
            key={item.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-hairline border-b py-2"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {item.file_name}{" "}
              <span className="text-dim tabular-nums">
                <time dateTime={item.created_at}>{day(item.created_at)}</time>, {numbersOf(item)}
                {item.finished_at === null && ", not finished"}
              </span>
            </span>
            {item.undone_at && <span className="text-dim">Undone</span>}
            {item.can_be_undone && (
              <Button
                variant="destroy"
                className="type-label"
                isBusy={list.isUndoing}
                aria-label={`Undo import of ${item.file_name}`}
                onClick={() => list.undo(item.id)}
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

function UndoneNotice({ undone: { deleted, restored, left } }: { undone: UndoneSubscribers }) {
  return (
    <div role="status" className="flex flex-col gap-2 py-3">
      <p>
        {deleted} deleted, {restored} active again.
      </p>
      {left > 0 && <p>{left} left as they are, because the person has acted since.</p>}
    </div>
  );
}
