// Imports subscribers from a list: choose a file, see the verdict on every row, import, and undo.
import { useQuery } from "@tanstack/react-query";
import { GuessedEncoding, ImportColumns } from "../../imports/ImportTable.tsx";
import { TableImportDialog } from "../../imports/TableImportDialog.tsx";
import { countOf, SubscriberRows, VerdictCounts, writtenCount } from "./SubscriberRows.tsx";
import {
  type SubscriberCheck,
  type SubscriberImport,
  type SubscriberImporting,
  subscriberImportsQuery,
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
  const { data } = useQuery(subscriberImportsQuery);
  return (
    <TableImportDialog
      title="Import Subscribers"
      noun="list"
      table={list}
      picker={{
        label: "CSV, TSV or ZIP file",
        accept: ".csv,.tsv,.txt,.zip,text/csv,text/tab-separated-values,text/plain,application/zip",
        hint: "A list of subscribers, or the ZIP that Mailchimp exports. Nothing is written before you have seen what becomes of each row.",
      }}
      draw={(check) => <Checked list={list} check={check} />}
      summaryOf={(check) => countOf(writtenCount(check))}
      writtenOf={(check) => countOf(writtenCount(check))}
      recent={data?.items}
      resultOf={numbersOf}
      nextOf={({ unconfirmed }) =>
        unconfirmed > 0 && "SEND CONFIRMATIONS asks those who are unconfirmed. "
      }
      lineOf={(item) => numbersOf(item) + (item.finished_at === null ? ", not finished" : "")}
      drawUndone={({ deleted, restored, left }) => (
        <>
          <p>
            {deleted} deleted, {restored} active again.
          </p>
          {left > 0 && <p>{left} left as they are, because the person has acted since.</p>}
        </>
      )}
      onClose={onClose}
    />
  );
}

function Checked({ list, check }: { list: SubscriberImporting; check: SubscriberCheck }) {
  const { files, passed_over } = check;
  return (
    <>
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
        chosen={list.choices.columns}
        onChoose={(columns) => list.choose({ columns })}
      />
      {[...new Set(files.map(({ encoding }) => encoding))].map((encoding) => (
        <GuessedEncoding key={encoding} encoding={encoding} />
      ))}
      <SubscriberRows check={check} />
    </>
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
