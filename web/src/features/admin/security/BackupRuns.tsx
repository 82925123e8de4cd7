import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { Button } from "../../../ui/Button.tsx";
import { dayAndTime } from "../../../ui/dates.ts";
import { counted } from "../grouped.ts";
import { sizeOf } from "../sizeOf.ts";

type Run = Schemas["BackupRunView"];

const SHOWN_FIRST = 5;

export function BackupRuns({ runs, zone }: { runs: readonly Run[]; zone: string }) {
  const [isWhole, setWhole] = useState(false);
  if (runs.length === 0) return null;
  return (
    <>
      <ol aria-label="Runs of backups" className="border-hairline border-t">
        {(isWhole ? runs : runs.slice(0, SHOWN_FIRST)).map((run, index) => (
          <Entry key={run.id} run={run} zone={zone} isFocusHome={index === SHOWN_FIRST} />
        ))}
      </ol>
      {!isWhole && runs.length > SHOWN_FIRST && (
        <div className="border-hairline border-t px-gutter py-5">
          <Button variant="outline" onClick={() => setWhole(true)}>
            Earlier runs
          </Button>
        </div>
      )}
    </>
  );
}

interface EntryProps {
  run: Run;
  zone: string;
  isFocusHome: boolean;
}

function Entry({ run, zone, isFocusHome }: EntryProps) {
  const { kind, began_at, ended_at, failure, warning } = run;
  const at = ended_at ?? began_at;
  return (
    <li
      tabIndex={-1}
      data-focus-home={isFocusHome || undefined}
      className="grid -outline-offset-2 gap-x-6 gap-y-1 border-hairline px-gutter py-3 text-[0.75rem] not-last:border-b md:grid-cols-[10rem_8rem_minmax(0,1fr)]"
    >
      {at && (
        <time dateTime={at} className="text-dim tabular-nums">
          {dayAndTime(at, zone)}
        </time>
      )}
      <p className={failure ? "text-signal" : undefined}>
        {kind === "proof" ? "Proof" : "Backup"} {outcome(run)}
      </p>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="text-dim">{figures(run)}</p>
        {failure && <p>{failure}</p>}
        {warning && <p>{warning}</p>}
      </div>
    </li>
  );
}

function outcome({ failure, proven_at, written_at }: Run): string {
  if (failure) return "failed";
  if (proven_at) return "proven";
  return written_at ? "written" : "done";
}

function figures(run: Run): string {
  if (run.backup_at === null) return "";
  const parts = [
    counted(run.rows, "row"),
    counted(run.files, "file"),
    sizeOf(run.total_bytes),
    run.kind === "backup" && `${sizeOf(run.new_bytes)} of it new`,
    run.files_read > 0 && `${counted(run.files_read, "file")} read back`,
    !run.is_sealed && "not encrypted",
  ];
  return parts.filter(Boolean).join(", ");
}
