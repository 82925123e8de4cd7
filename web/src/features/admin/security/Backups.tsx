// The state of the backups, and what an admin can ask for. Times are the label's, as in the server's sentences.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Answer, call } from "../../../api/client.ts";
import { zoneOrUtc } from "../../../api/labelZone.ts";
import { putAnswer } from "../../../api/putAnswer.ts";
import { readQuery, unlessRefused } from "../../../api/queries.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastFailure } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { dayAndSecond, dayAndTime } from "../../../ui/dates.ts";
import { useFold } from "../editing/useFold.ts";
import { firstStepsQuery } from "../firstSteps/firstStepsQuery.ts";
import { GradeLine } from "../lists/Grade.tsx";
import { Reading } from "../lists/RowList.tsx";
import { BackupRuns } from "./BackupRuns.tsx";
import { BackupSettings, keptWords } from "./BackupSettings.tsx";

export type BackupsView = Answer<"GET", "/api/admin/backups">;

const RUNNING_LOOK_MS = 3_000;
/** Runs that begin by themselves, and those of other instances. */
const IDLE_LOOK_MS = 60_000;

const backupsQuery = {
  ...readQuery("/api/admin/backups", {}),
  // Zero: runs cause no live event.
  staleTime: 0,
};

export function Backups() {
  const client = useQueryClient();
  const query = useQuery({
    ...backupsQuery,
    refetchInterval: ({ state }) =>
      unlessRefused(state, isMoving(state.data) ? RUNNING_LOOK_MS : IDLE_LOOK_MS),
  });
  const { data } = query;
  const hasBackup = Boolean(data?.last_backup_at);
  useEffect(() => {
    if (hasBackup) void client.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
  }, [client, hasBackup]);
  if (!data) return <Reading query={query} of={backupsQuery} label="the backups" />;
  return (
    <>
      <State view={data} />
      <Facts view={data} />
      <Actions view={data} />
      <BackupRuns runs={data.runs} zone={zoneOrUtc(data.time_zone)} />
    </>
  );
}

function isMoving(view: BackupsView | undefined): boolean {
  return view !== undefined && (view.running !== null || view.is_waiting);
}

function State({ view: { status, sentences } }: { view: BackupsView }) {
  return (
    <div className="grid gap-x-6 gap-y-3 border-hairline border-b px-gutter py-5 md:grid-cols-[7rem_minmax(0,1fr)]">
      <GradeLine grade={status} />
      <ul aria-label="State of the backups" className="flex max-w-[80ch] flex-col gap-2">
        {sentences.map((sentence) => (
          <li key={sentence} className="[overflow-wrap:anywhere]">
            {sentence}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Facts({ view }: { view: BackupsView }) {
  const { last_backup_at, last_proof_at, last_proof_of, files_read_at, running } = view;
  const zone = zoneOrUtc(view.time_zone);
  const proof = [
    last_proof_of && `of the backup of ${dayAndTime(last_proof_of, zone)}`,
    files_read_at && `files read back ${dayAndTime(files_read_at, zone)}`,
  ];
  const facts = [
    ["Last backup", last_backup_at, null],
    ["Last proof", last_proof_at, proof.filter(Boolean).join("; ")],
    ["Next run", nextRun(view), running ? "after the one under way" : null],
  ] as const;
  return (
    <dl className="grid-cells border-hairline border-b sm:grid-cols-3">
      {facts.map(([name, at, more]) => (
        <div key={name} className="px-gutter py-4">
          <dt className="type-label text-dim uppercase">{name}</dt>
          <dd className="mt-1 tabular-nums">
            {at ? <time dateTime={at}>{dayAndTime(at, zone)}</time> : "None"}
          </dd>
          {more && <dd className="mt-1 text-[0.75rem] text-dim">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** The sooner one of a backup and a proof. */
function nextRun({ next_backup_at, next_proof_at }: BackupsView): string | undefined {
  return [next_backup_at, next_proof_at]
    .filter((at) => at !== null)
    .sort()
    .at(0);
}

const ASKS = [
  { kind: "backup", path: "/api/admin/backups/run", words: "BACK UP NOW", busy: "Backing up..." },
  { kind: "proof", path: "/api/admin/backups/proof", words: "PROVE IT NOW", busy: "Proving..." },
] as const;

function Actions({ view }: { view: BackupsView }) {
  const client = useQueryClient();
  const fold = useFold();
  const { place, running, settings } = view;
  const readAgain = () => void client.invalidateQueries({ queryKey: backupsQuery.queryKey });
  const ask = useSingleMutation({
    mutationFn: (path: (typeof ASKS)[number]["path"]) => call("POST", path, {}),
    onSuccess: (after) => putAnswer(client, backupsQuery, after),
    onError: (error) => {
      toastFailure(error, "backups_change_failed");
      readAgain();
    },
  });
  return (
    <div className="flex flex-col items-start gap-4 px-gutter py-5">
      <p className="text-dim [overflow-wrap:anywhere]">
        {place && (
          <>
            In <span className="text-ink">{place.name}</span>,{" "}
            {place.is_sealed ? "encrypted" : "not encrypted"}.{" "}
          </>
        )}
        {keptWords(settings)} Times are in {zoneOrUtc(view.time_zone)}.
      </p>
      <div className="flex flex-wrap gap-3">
        {ASKS.map(({ kind, path, words, busy }) => {
          const isUnderWay = running?.kind === kind || (ask.isPending && ask.variables === path);
          return (
            <Button
              key={kind}
              variant={kind === "backup" ? "main" : undefined}
              disabled={!place}
              isBusy={isUnderWay || ask.isPending}
              onClick={() => ask.mutate(path)}
            >
              {isUnderWay ? busy : words}
            </Button>
          );
        })}
        <Button {...fold.button}>HOW OFTEN, AND HOW MANY</Button>
      </div>
      <p role="status" className={isMoving(view) ? undefined : "sr-only"}>
        {underWay(view)}
      </p>
      <div {...fold.frame} className="w-full">
        <BackupSettings
          stored={settings}
          onSaved={(after) => putAnswer(client, backupsQuery, after)}
          onFailed={readAgain}
          onClose={fold.close}
        />
      </div>
    </div>
  );
}

function underWay({ running, is_waiting, time_zone }: BackupsView): string {
  if (running) {
    const kind = running.kind === "proof" ? "A proof" : "A backup";
    const since = running.since && dayAndSecond(running.since, zoneOrUtc(time_zone));
    return `${kind} is under way${since ? ` since ${since}` : ""}.`;
  }
  return is_waiting ? "A run begins in a moment." : "";
}
