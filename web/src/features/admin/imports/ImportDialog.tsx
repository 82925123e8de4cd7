// Imports releases from a table: choose a file, check every row, import, and undo.
import { useQuery } from "@tanstack/react-query";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { counted, grouped } from "../grouped.ts";
import { GuessedEncoding, ImportColumns, ImportRows } from "./ImportTable.tsx";
import { TableImportDialog } from "./TableImportDialog.tsx";
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
  const { data } = useQuery(importsQuery);
  return (
    <TableImportDialog
      title="Import Releases"
      noun="table"
      table={table}
      picker={{
        label: "CSV or TSV file",
        accept: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain",
        hint: "The first line names the columns. Nothing is written before you have seen every row.",
      }}
      draw={(preview) => <Preview table={table} preview={preview} />}
      summaryOf={countsText}
      writtenOf={({ counts }) => counted(counts.add + counts.change, "release")}
      recent={data?.items}
      resultOf={({ added, changed, artists }) =>
        `${grouped(added)} new, ${grouped(changed)} changed, ${counted(artists, "new artist")}`
      }
      lineOf={({ added, changed }) => `${grouped(added)} new, ${grouped(changed)} changed`}
      drawUndone={(undone) => <AsBefore undone={undone} />}
      onClose={onClose}
    />
  );
}

function Preview({ table, preview }: { table: Import; preview: ImportPreview }) {
  const { choices, choose } = table;
  const { counts } = preview;
  return (
    <>
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
              ? `${counted(counts.asks_for_day, "row")} with a year or a month, but no day.`
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
              ? `${counted(counts.asks_for_order, "row")} with a date that can be read in two ways.`
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
            label={`Leave out ${counted(counts.refused, "row")} that cannot be imported`}
            checked={choices.leaveOutRefused}
            onChange={({ target }) => choose({ leaveOutRefused: target.checked })}
          />
        )}
      </div>
      <ImportRows rows={preview.rows} />
    </>
  );
}

function AsBefore({ undone: { undone, left } }: { undone: Undone }) {
  return (
    <>
      <p>
        {grouped(undone)} {undone === 1 ? "row is" : "rows are"} as before.
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
    </>
  );
}

function countsText({ counts }: ImportPreview): string {
  const parts = [
    `${grouped(counts.add)} new`,
    `${grouped(counts.change)} changed`,
    counts.unchanged > 0 && `${grouped(counts.unchanged)} unchanged`,
    counts.new_artists > 0 && counted(counts.new_artists, "new artist"),
    counts.left_out > 0 && `${grouped(counts.left_out)} left out`,
    counts.refused > 0 && `${grouped(counts.refused)} that cannot be imported`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}
