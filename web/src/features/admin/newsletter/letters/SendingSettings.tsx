// The pace of letters, and the postal address below them.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { type Answer, call } from "../../../../api/client.ts";
import { putAnswer } from "../../../../api/putAnswer.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { toastSuccess } from "../../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { consentQuery } from "../Consent.tsx";

type Settings = Answer<"PATCH", "/api/admin/newsletter/settings">;

const FIELDS = [
  { field: "letters_a_second", label: "A second", isOptional: false },
  { field: "letters_an_hour", label: "An hour", isOptional: true },
  { field: "letters_a_day", label: "A day", isOptional: true },
] as const;

export function SendingSettings() {
  const { data } = useQuery(consentQuery);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-col items-start gap-4">
      <Button
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={!data}
        onClick={() => setOpen(!isOpen)}
      >
        PACE AND ADDRESS
      </Button>
      {data?.sees_bounces === false && (
        <p className="text-dim">
          Letters that come back later are not seen: BOUNCE_ADDRESS is not set on the server.
        </p>
      )}
      {data?.left_unread ? (
        <p className="text-dim">
          {data.left_unread === 1
            ? "1 mail in the bounce mailbox was not understood, and is left unread there."
            : `${data.left_unread} mails in the bounce mailbox were not understood, and are left unread there.`}
        </p>
      ) : null}
      <div id={id} className="w-full">
        {isOpen && data && <Form stored={data.settings} onSaved={() => setOpen(false)} />}
      </div>
    </div>
  );
}

function Form({ stored, onSaved }: { stored: Settings; onSaved: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({
    letters_a_second: String(stored.letters_a_second),
    letters_an_hour: String(stored.letters_an_hour ?? ""),
    letters_a_day: String(stored.letters_a_day ?? ""),
    postal_address: stored.postal_address,
  });
  const [first] = useState(typed);
  const { question } = useUnsaved(JSON.stringify(typed) !== JSON.stringify(first));
  const save = useSingleMutation({
    mutationFn: () =>
      call("PATCH", "/api/admin/newsletter/settings", {
        body: {
          letters_a_second: wholeNumber(typed.letters_a_second),
          letters_an_hour: wholeNumber(typed.letters_an_hour),
          letters_a_day: wholeNumber(typed.letters_a_day),
          postal_address: typed.postal_address,
        },
      }),
    onSuccess: async (settings) => {
      await putAnswer(client, consentQuery, (old) => old && { ...old, settings });
      toastSuccess("sending_settings_saved");
      onSaved();
    },
    onError: (error) => {
      if (!problemsOf(error)) toastFailure(error, "newsletter_change_failed");
    },
  });
  const problem = (field: string) => (save.error ? wordsForField(save.error, field) : undefined);
  function change(field: keyof typeof typed, value: string): void {
    save.reset();
    setTyped({ ...typed, [field]: value });
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }
  return (
    <form noValidate className="flex max-w-3xl flex-col items-start gap-4" onSubmit={submit}>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="type-label mb-2 text-dim uppercase">Letters, at most</legend>
        {FIELDS.map(({ field, label, isOptional }) => (
          <Field
            key={field}
            label={label}
            className="w-32"
            inputMode="numeric"
            placeholder={isOptional ? "No bound" : undefined}
            value={typed[field]}
            error={problem(field)}
            onChange={({ target }) => change(field, target.value)}
          />
        ))}
      </fieldset>
      <TextArea
        label="Postal address"
        className="w-full"
        hint="Below each letter. Many countries require one."
        value={typed.postal_address}
        error={problem("postal_address")}
        onChange={({ target }) => change("postal_address", target.value)}
      />
      <Button type="submit" variant="main" isBusy={save.isPending}>
        {save.isPending ? "Saving..." : "SAVE"}
      </Button>
      {question}
    </form>
  );
}

/** Anything else becomes a number that the server refuses with its words. */
function wholeNumber(typed: string): number {
  const number = Number(typed);
  return Number.isInteger(number) ? number : -1;
}

function problemsOf(error: unknown): boolean {
  return [...FIELDS.map(({ field }) => field), "postal_address"].some((field) =>
    wordsForField(error, field),
  );
}
