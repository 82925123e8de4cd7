// Sending a letter: SEND with its minute of UNDO, progress, PAUSE, STOP, and the report.
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Answer, apiError, call, serverTime } from "../../../../api/client.ts";
import { useLabelZone } from "../../../../api/labelZone.ts";
import { putAnswer } from "../../../../api/putAnswer.ts";
import { readQuery, unlessRefused } from "../../../../api/queries.ts";
import { readState } from "../../../../api/readState.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../../ui/ConfirmDialog.tsx";
import { Field } from "../../../../ui/Field.tsx";
import { toastError } from "../../../../ui/toasts/toast.ts";
import { useClock } from "../../../../ui/useClock.ts";
import { counted, grouped } from "../../grouped.ts";
import { fromInput, INPUT_MAX, inZone } from "../../labelTime.ts";
import { ifMatch } from "../../resource/resourceConfig.ts";
import { ArrivalWarnings } from "./ArrivalWarnings.tsx";
import { aboutHowLong } from "./aboutHowLong.ts";
import { arrivalQuery } from "./arrivalQuery.ts";
import { letterQuery, notOut } from "./letterConfig.ts";

type Sending = Answer<"GET", "/api/admin/letters/{id}/sending">;
type Step = "undo" | "pause" | "resume" | "stop";

const LOOK_AGAIN_MS = 2_000;

const sendingQuery = (id: string) => readQuery("/api/admin/letters/{id}/sending", { path: { id } });

interface LetterSendingProps {
  id: string;
  /** The version on show, which is sent. */
  version: number;
  /** Why it cannot be sent now. */
  blocked?: string | undefined;
}

export function LetterSending({ id, ...shown }: LetterSendingProps) {
  const { data } = useQuery({
    ...sendingQuery(id),
    refetchInterval: ({ state }) => isMoving(state.data) && unlessRefused(state, LOOK_AGAIN_MS),
  });
  return (
    <section aria-label="Sending" className="flex flex-col gap-4">
      {data && (
        <>
          {/* One for all states: it has to be there before its words to be announced. */}
          <p role="status" className="empty:-mb-4">
            <Said sending={data} />
          </p>
          <State id={id} sending={data} {...shown} />
        </>
      )}
    </section>
  );
}

function Said({ sending }: { sending: Sending }) {
  const { state, pause_text, counts, began_at, ended_at, is_captured } = sending;
  const zone = useLabelZone();
  const { at, seconds } = useSecondsLeft(sending);
  switch (state) {
    case "scheduled":
      return seconds > 90
        ? `Goes out on ${inZone(at, zone)}, to ${people(counts.recipients)}.`
        : `Goes out to ${people(counts.recipients)} in a moment.`;
    case "sent":
    case "stopped": {
      const took = began_at && ended_at ? (Date.parse(ended_at) - Date.parse(began_at)) / 1000 : 0;
      return (
        <>
          {state === "stopped" ? "Stopped" : is_captured ? "Captured" : "Sent"}
          {ended_at && ` ${inZone(ended_at, zone)}, after ${aboutHowLong(took)}`}.
          {is_captured && " There was no mail server: the letters are files."}
        </>
      );
    }
    default:
      return pause_text && <span className="text-signal">{pause_text}</span>;
  }
}

function useSecondsLeft({ state, goes_out_at }: Sending): { at: number; seconds: number } {
  const at = goes_out_at ? Date.parse(goes_out_at) : 0;
  const now = serverTime(useClock(state === "scheduled" && at));
  return { at, seconds: Math.max(0, Math.ceil((at - now) / 1000)) };
}

function isMoving(sending: Sending | undefined): boolean {
  return sending?.state === "scheduled" || sending?.state === "sending";
}

interface StateProps extends LetterSendingProps {
  sending: Sending;
}

function State(props: StateProps) {
  const { id, sending } = props;
  const hasBegun = sending.began_at !== null;
  switch (sending.state) {
    case "scheduled":
      return <Scheduled id={id} sending={sending} />;
    case "sending":
      return <UnderWay id={id} sending={sending} />;
    case "paused":
      return hasBegun ? <UnderWay id={id} sending={sending} /> : <Send {...props} />;
    case "sent":
    case "stopped":
      return <Numbers sending={sending} />;
    default:
      return <Send {...props} />;
  }
}

const people = (count: number) => counted(count, "subscriber");

/** Each step is a version of the letter too, and not one of someone else. */
async function putSending(client: QueryClient, id: string, sending: Sending): Promise<void> {
  const { state, version } = sending;
  await putAnswer(client, sendingQuery(id), sending);
  await putAnswer(client, letterQuery(id), (letter) => letter && { ...letter, state, version });
}

function useSteps(id: string) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useSingleMutation({
    mutationFn: (step: Step) =>
      call("POST", "/api/admin/letters/{id}/sending", { path: { id }, body: { step } }),
    onSuccess: (sending) => putSending(client, id, sending),
    onError: (error) => {
      toastFailure(error, "newsletter_change_failed");
      void client.invalidateQueries({ queryKey: sendingQuery(id).queryKey });
    },
  });
  return { take: mutate, taken: isPending ? variables : undefined };
}

function Send({ id, sending, version, blocked }: StateProps) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [typedTime, setTypedTime] = useState("");
  const timeField = useRef<HTMLInputElement>(null);
  const [isTimePartial, setTimePartial] = useState(false);
  const { take, taken } = useSteps(id);
  const arrival = useQuery({ ...arrivalQuery, enabled: isAsking });
  const { recipients } = sending.counts;
  const zone = useLabelZone();
  const at = fromInput(typedTime, zone);
  const words = at === "" ? "SEND" : "SCHEDULE";
  const send = useSingleMutation({
    mutationFn: () =>
      call("POST", "/api/admin/letters/{id}/send", {
        path: { id },
        body: at === "" ? {} : { goes_out_at: at },
        headers: ifMatch({ version }),
      }),
    onSuccess: (changed) => putSending(client, id, changed),
    onError: (error) => {
      const reason = wordsForLetter(error);
      if (reason) toastError("update_failed", reason);
      else if (!wordsForField(error, "goes_out_at"))
        toastFailure(error, "newsletter_change_failed");
      void client.invalidateQueries({ queryKey: sendingQuery(id).queryKey });
      // Someone else may have saved it.
      void client.invalidateQueries({ queryKey: letterQuery(id).queryKey });
    },
  });
  function askFirst(): void {
    // Its value is empty then.
    const isPartial = timeField.current?.validity.badInput ?? false;
    setTimePartial(isPartial);
    if (isPartial) timeField.current?.focus();
    else setAsking(true);
  }
  return (
    <>
      {sending.state === "missed" && (
        <p className="text-signal">
          It could not begin within two hours of its time: the program was not running, or its log
          says why. Nothing was sent.
        </p>
      )}
      <p className="text-dim">
        {recipients === 0
          ? "There is no confirmed subscriber to write to yet."
          : `${people(recipients)} would get it, within ${aboutHowLong(sending.seconds_left)}.`}
        {sending.is_captured && " No mail server is set: letters are captured as files, not sent."}
      </p>
      <Field
        ref={timeField}
        label="Goes out"
        type="datetime-local"
        max={INPUT_MAX}
        className="max-w-xs"
        hint={`Empty: in a minute. The label's time, ${zone}.`}
        value={typedTime}
        error={
          isTimePartial
            ? "Fill in the day and the time, or neither."
            : wordsForField(send.error, "goes_out_at")
        }
        onChange={({ target }) => {
          send.reset();
          setTimePartial(false);
          setTypedTime(target.value);
        }}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button
          variant="main"
          isBusy={send.isPending}
          disabled={recipients === 0 || blocked !== undefined}
          onClick={askFirst}
        >
          {words}
        </Button>
        {sending.state !== "draft" && (
          <Button isBusy={taken === "undo"} onClick={() => take("undo")}>
            BACK TO DRAFT
          </Button>
        )}
        {blocked && <p className="text-dim">{blocked}</p>}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Send to ${people(recipients)}?`}
          confirm={words}
          // The findings move the buttons.
          isBusy={readState(arrival) === "loading"}
          cancel="CANCEL"
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            send.mutate();
          }}
        >
          {at === ""
            ? "It begins in a minute, in which you can undo it."
            : `It begins on ${inZone(at, zone)}. Until then you can undo it.`}{" "}
          Sending takes {aboutHowLong(sending.seconds_left)}
          {sending.is_captured ? "; without a mail server it goes into files." : "."}
          {sending.not_out.length > 0 && (
            <span className="mt-3 block">{notOut(sending.not_out)}</span>
          )}
          <ArrivalWarnings />
        </ConfirmDialog>
      )}
    </>
  );
}

/** Says why a letter is not sent; names the part that keeps it back. */
function wordsForLetter(error: unknown): string | undefined {
  for (const [field, words] of Object.entries(apiError(error).fields)) {
    if (["letter", "subject", "parts"].includes(field)) return words;
    const part = /^parts\[(\d+)\]/.exec(field)?.[1];
    if (part) return `Part ${Number(part) + 1}: ${words}`;
  }
  return undefined;
}

function Scheduled({ id, sending }: { id: string; sending: Sending }) {
  const { take, taken } = useSteps(id);
  const { seconds } = useSecondsLeft(sending);
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button isBusy={taken === "undo"} onClick={() => take("undo")}>
        UNDO
      </Button>
      {seconds <= 90 && <span className="text-dim tabular-nums">{seconds} s</span>}
    </div>
  );
}

function UnderWay({ id, sending }: { id: string; sending: Sending }) {
  const [isStopping, setStopping] = useState(false);
  const { take, taken } = useSteps(id);
  const { recipients, waiting } = sending.counts;
  const done = recipients - waiting;
  const isPaused = sending.state === "paused";
  return (
    <>
      <div className="flex flex-col gap-2">
        <progress aria-label="Sending" className="meter w-full" max={recipients} value={done} />
        <p className="text-dim tabular-nums">
          {grouped(done)} of {people(recipients)}
          {!isPaused && waiting > 0 && `, about ${aboutHowLong(sending.seconds_left)} left`}
        </p>
      </div>
      <div className="flex flex-wrap gap-4">
        <Button
          variant={isPaused ? "main" : undefined}
          isBusy={taken !== undefined}
          onClick={() => take(isPaused ? "resume" : "pause")}
        >
          {isPaused ? "RESUME" : "PAUSE"}
        </Button>
        <Button variant="destroy" isBusy={taken !== undefined} onClick={() => setStopping(true)}>
          STOP
        </Button>
      </div>
      <Numbers sending={sending} />
      {isStopping && (
        <ConfirmDialog
          title="Stop this letter?"
          confirm="STOP"
          cancel="GO ON"
          isCancelAdvised
          onCancel={() => setStopping(false)}
          onConfirm={() => {
            setStopping(false);
            take("stop");
          }}
        >
          {people(waiting)} will not get it. That cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

const NAMES = {
  sent: "Handed over",
  refused: "Refused",
  bounced: "Bounced",
  left: "Left",
  skipped: "Skipped",
  perhaps_twice: "Perhaps twice",
} as const;

function Numbers({ sending }: { sending: Sending }) {
  const shown = (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter(
    (name) => name === "sent" || sending.counts[name] > 0,
  );
  return (
    <>
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {shown.map((name) => (
          <div key={name}>
            <dt className="type-label text-dim uppercase">{NAMES[name]}</dt>
            <dd className="tabular-nums">{grouped(sending.counts[name])}</dd>
          </div>
        ))}
      </dl>
      {sending.refusals.length > 0 && (
        <p className="text-dim tabular-nums">
          Codes of the mail server:{" "}
          {sending.refusals.map(({ code, count }) => `${code} (${count})`).join(", ")}
        </p>
      )}
    </>
  );
}
