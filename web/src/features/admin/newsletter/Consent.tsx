// Consent of the subscribers: the question to new ones, mails to earlier ones, and consent given elsewhere.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type Ref, useId, useRef, useState } from "react";
import { type Answer, call } from "../../../api/client.ts";
import { putAnswer } from "../../../api/putAnswer.ts";
import { readQuery } from "../../../api/queries.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { TextArea } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { type Choice, useChoiceCounts } from "../lists/choice.tsx";

type Summary = Answer<"GET", "/api/admin/newsletter/settings">;

export const consentQuery = readQuery("/api/admin/newsletter/settings", {});

/** Confirmation mails in a day. */
const A_DAY = [100, 250, 500, 1000, 2000, 4800];

export function Consent({ choice }: { choice: Choice }) {
  const { data } = useQuery(consentQuery);
  const { chosen } = useChoiceCounts(choice);
  const asking = useSettings(data?.settings);
  const daily = useSettings(data?.settings);
  return (
    <section
      aria-label="Consent"
      className="flex flex-col gap-4 border-hairline border-b px-gutter py-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Switch
          label="Ask new subscribers to confirm"
          checked={asking.asks}
          disabled={data === undefined}
          aria-busy={asking.isSaving}
          onChange={({ target }) => asking.save({ asks_to_confirm: target.checked })}
        />
        <p role="status" className="text-dim tabular-nums">
          {data && countsOf(data)}
        </p>
      </div>
      {data && (data.unconfirmed > 0 || chosen > 0) && (
        <Unconfirmed
          summary={data}
          choice={choice}
          chosen={chosen}
          aDay={daily.aDay}
          onADay={(confirmations_a_day) => daily.save({ confirmations_a_day })}
        />
      )}
    </section>
  );
}

function countsOf({ confirmed, vouched, unconfirmed, waiting }: Summary): string {
  const counts = [`${confirmed} confirmed`, `${vouched} vouched`, `${unconfirmed} unconfirmed`];
  return [...counts, ...(waiting > 0 ? [`${waiting} waiting for their mail`] : [])].join(", ");
}

/**
 * Shows the setting of one control as it was set, and resets it if the server refuses. The calls of all controls go one
 * after the other, so that the last answer has every change. A second choice is no repetition of the first.
 */
function useSettings(stored: Summary["settings"] | undefined) {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    scope: { id: "newsletter-settings" },
    mutationFn: (body: Partial<Summary["settings"]>) =>
      call("PATCH", "/api/admin/newsletter/settings", { body }),
    onSuccess: (settings) => putAnswer(client, consentQuery, (old) => old && { ...old, settings }),
    onError: (error) => toastFailure(error, "newsletter_change_failed"),
  });
  const shown = { ...stored, ...(isPending && variables) };
  return {
    asks: shown.asks_to_confirm ?? true,
    aDay: shown.confirmations_a_day ?? 500,
    isSaving: isPending,
    save: mutate,
  };
}

interface UnconfirmedProps {
  summary: Summary;
  choice: Choice;
  chosen: number;
  aDay: number;
  onADay: (number: number) => void;
}

function Unconfirmed({ summary, choice, chosen, aDay, onADay }: UnconfirmedProps) {
  const dayId = useId();
  const boxId = useId();
  const client = useQueryClient();
  /** Those it is about, however the choice changes under the question; all if without ids. */
  const [asked, setAsked] = useState<{ ids?: string[] }>();
  const [isElsewhere, setElsewhere] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const count = chosen > 0 ? chosen : summary.not_asked;
  const send = useSingleMutation({
    mutationFn: (body: { ids?: string[] }) =>
      call("POST", "/api/admin/newsletter/confirmations", { body }),
    onSuccess: ({ changed }) => {
      choice.clear();
      void client.invalidateQueries({ queryKey: consentQuery.queryKey });
      toastSuccess("confirmations_queued", String(changed));
    },
    onError: (error) => {
      toastFailure(error, "newsletter_change_failed");
      void client.invalidateQueries({ queryKey: consentQuery.queryKey });
    },
  });
  function close(): void {
    // Browsers drop the focus of a hidden element.
    if (form.current?.contains(document.activeElement)) box.current?.focus();
    setElsewhere(false);
  }
  const askedCount = asked?.ids?.length ?? summary.not_asked;
  const days = Math.ceil((askedCount + summary.waiting) / aDay);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button
          isBusy={send.isPending}
          disabled={count === 0}
          className="tabular-nums"
          onClick={() => setAsked(chosen > 0 ? { ids: choice.ids() } : {})}
        >
          {chosen > 0 ? `SEND CONFIRMATIONS TO ${chosen} CHOSEN` : "SEND CONFIRMATIONS"}
        </Button>
        <span className="flex items-center gap-2">
          <label htmlFor={dayId} className="type-label text-dim uppercase">
            A day, at most
          </label>
          <Select
            id={dayId}
            value={String(aDay)}
            options={[...new Set([...A_DAY, aDay])]
              .sort((one, other) => one - other)
              .map((number) => [String(number), String(number)] as const)}
            onChoose={(number) => onADay(Number(number))}
          />
        </span>
        <span className="flex items-center gap-2.5">
          <input
            ref={box}
            id={boxId}
            type="checkbox"
            className="check-box"
            checked={isElsewhere}
            onChange={({ target }) => setElsewhere(target.checked)}
          />
          <label htmlFor={boxId} className="type-label uppercase">
            They agreed elsewhere
          </label>
        </span>
      </div>
      {!summary.can_send && (
        <p className="text-signal">No mail server is set: confirmations wait until there is one.</p>
      )}
      <Elsewhere
        ref={form}
        isShown={isElsewhere}
        choice={choice}
        chosen={chosen}
        unconfirmed={summary.unconfirmed}
        onSaved={close}
      />
      {asked && (
        <ConfirmDialog
          title={`Send ${askedCount} ${askedCount === 1 ? "confirmation" : "confirmations"}?`}
          confirm="SEND"
          cancel="CANCEL"
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            send.mutate(asked);
          }}
        >
          Each unconfirmed one gets a mail with a link, within the limits of its mailbox. At {aDay}{" "}
          a day this takes {days === 1 ? "a day" : `${days} days`} at most.
        </ConfirmDialog>
      )}
    </>
  );
}

interface ElsewhereProps {
  ref: Ref<HTMLFormElement>;
  /** Hidden, it keeps what is typed. */
  isShown: boolean;
  choice: Choice;
  chosen: number;
  unconfirmed: number;
  onSaved: () => void;
}

function Elsewhere({ ref, isShown, choice, chosen, unconfirmed, onSaved }: ElsewhereProps) {
  const client = useQueryClient();
  const [sentence, setSentence] = useState("");
  const { question } = useUnsaved(sentence.trim() !== "");
  const [isForChosen, setForChosen] = useState(false);
  // Chosen rows may leave the list by themselves: then it must not silently be about all.
  const staysForChosen = isShown && (isForChosen || chosen > 0);
  if (staysForChosen !== isForChosen) setForChosen(staysForChosen);
  const isForNone = isForChosen && chosen === 0;
  const vouch = useSingleMutation({
    mutationFn: (body: { sentence: string; ids?: string[] }) =>
      call("POST", "/api/admin/newsletter/vouch", { body }),
    onSuccess: ({ changed }, { sentence: sent }) => {
      choice.clear();
      void client.invalidateQueries({ queryKey: consentQuery.queryKey });
      toastSuccess("subscribers_vouched", String(changed));
      // Otherwise more was typed while it was sent.
      if (sentence !== sent) return;
      setSentence("");
      onSaved();
    },
    onError: (error) => {
      // In a toast: the form goes where none is unconfirmed any more.
      if (!problemOf(error)) toastFailure(error, "newsletter_change_failed");
      void client.invalidateQueries({ queryKey: consentQuery.queryKey });
    },
  });
  function save(event: FormEvent): void {
    event.preventDefault();
    if (!isForNone) vouch.mutate({ sentence, ...(isForChosen && { ids: choice.ids() }) });
  }
  return (
    <form
      ref={ref}
      noValidate
      hidden={!isShown}
      className="flex max-w-3xl flex-col items-start gap-4"
      onSubmit={save}
    >
      <TextArea
        data-focus-home
        label="Where and how they agreed"
        className="w-full"
        hint="Kept in the activity log and in the proof of each. Addresses that left, bounced, complained or were removed need their own confirmation."
        value={sentence}
        error={problemOf(vouch.error)}
        onChange={({ target }) => {
          vouch.reset();
          setSentence(target.value);
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="main"
          isBusy={vouch.isPending || isForNone}
          className="tabular-nums"
        >
          {vouch.isPending
            ? "Saving..."
            : isForNone
              ? "NONE ARE CHOSEN ANY MORE"
              : isForChosen
                ? `SAVE FOR ${chosen} CHOSEN`
                : `SAVE FOR ALL ${unconfirmed} UNCONFIRMED`}
        </Button>
        {isForNone && !vouch.isPending && (
          <Button className="tabular-nums" onClick={() => setForChosen(false)}>
            FOR ALL {unconfirmed} INSTEAD
          </Button>
        )}
      </div>
      {question}
    </form>
  );
}

function problemOf(error: Error | null): string | undefined {
  return wordsForField(error, "sentence") ?? wordsForField(error, "ids");
}
