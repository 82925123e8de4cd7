import { useMemo, useState } from "react";
import { Select } from "../../../../ui/Select.tsx";
import { TableRows } from "../../imports/TableRows.tsx";
import type { SubscriberCheck, SubscriberRow } from "./useSubscriberImport.ts";

type Verdict = keyof SubscriberCheck["counts"];

/** Verdicts with their names and effects, those that need attention first. */
const VERDICTS: readonly (readonly [verdict: Verdict, name: string, effect: string])[] = [
  ["refused", "Problem", "cannot be imported, left out"],
  ["add_confirmed", "New, confirmed", "with the time of the confirmation"],
  ["add_unconfirmed", "New, unconfirmed", "get letters once confirmed"],
  ["end", "Left", "active here, left or bounced there: made inactive"],
  ["suppress", "Kept out", "left or bounced there: no later import adds them"],
  ["known", "Known", "no change"],
  ["suppressed", "Stays out", "left, bounced or removed before"],
  ["never_subscribed", "No subscriber", "never on that list, left out"],
  ["repeated", "Twice", "another row has the address, left out"],
];

const NAMES: ReadonlyMap<string, string> = new Map(
  VERDICTS.map(([verdict, name]) => [verdict, name]),
);

export function countOf(rows: number): string {
  return `${rows} ${rows === 1 ? "address" : "addresses"}`;
}

/** How many rows change something. */
export function writtenCount({ counts }: SubscriberCheck): number {
  return counts.add_confirmed + counts.add_unconfirmed + counts.end + counts.suppress;
}

export function VerdictCounts({ counts }: { counts: SubscriberCheck["counts"] }) {
  return (
    <ul aria-label="Verdicts" className="flex flex-col gap-1">
      {VERDICTS.filter(([verdict]) => counts[verdict] > 0).map(([verdict, name, effect]) => (
        <li key={verdict} className={verdict === "refused" ? "text-signal" : ""}>
          {name}: <span className="tabular-nums">{counts[verdict]}</span>{" "}
          <span className="text-dim">({effect})</span>
        </li>
      ))}
    </ul>
  );
}

type Listed = SubscriberRow & { id: string; isOneOfSeveral: boolean };

export function SubscriberRows({ check }: { check: SubscriberCheck }) {
  const { rows, counts, files } = check;
  const [chosen, setChosen] = useState("");
  const verdict = VERDICTS.find(([name]) => name === chosen && counts[name] > 0)?.[0];
  const listed = useMemo(() => {
    const shown = verdict ? rows.filter((row) => row.verdict === verdict) : rows;
    const isOneOfSeveral = files.length > 1;
    return shown.map((row): Listed => ({ ...row, id: `${row.file}:${row.line}`, isOneOfSeveral }));
  }, [rows, files, verdict]);
  const all = VERDICTS.reduce((sum, [name]) => sum + counts[name], 0);
  const total = verdict ? counts[verdict] : all;
  const options = VERDICTS.filter(([name]) => counts[name] > 0).map(
    ([name, words]) => [name as string, `${words} (${counts[name]})`] as const,
  );
  return (
    <section aria-label="Rows" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Rows to show"
          options={[["", `All rows (${all})`], ...options]}
          value={verdict ?? ""}
          onChoose={setChosen}
        />
        {listed.length < total && (
          <p className="text-dim tabular-nums">
            The first {listed.length} of {total}.
          </p>
        )}
      </div>
      <TableRows label="Rows of the list" rows={listed} draw={draw} />
    </section>
  );
}

const draw = (row: Listed) => <Line row={row} />;

function Line({ row }: { row: Listed }) {
  const { line, email, verdict, problem, file, isOneOfSeveral } = row;
  return (
    <div className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-2 text-[0.75rem]">
      <span className="text-right text-dim tabular-nums">
        <span className="sr-only">Line </span>
        {line}
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="type-row">{email || "No address"}</span>
          <span
            className={`type-label border px-1.5 uppercase ${verdict === "refused" ? "border-signal text-signal" : "border-dim"}`}
          >
            {NAMES.get(verdict) ?? verdict}
          </span>
        </p>
        {problem && <p className={verdict === "refused" ? "text-signal" : "text-dim"}>{problem}</p>}
        {isOneOfSeveral && <p className="text-dim">{file}</p>}
      </div>
    </div>
  );
}
