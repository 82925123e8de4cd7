// The contact form. Its draft is held until it is sent or the document ends.
import { type ChangeEvent, useEffect, useRef } from "react";
import { ApiError, apiError, call } from "../../api/client.ts";
import { createRequestNames } from "../../api/idempotencyKey.ts";
import { type RulesForm, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { Button } from "../../ui/Button.tsx";
import { EmailField, Field, TextArea } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { Honeypot } from "../../ui/Honeypot.tsx";
import { NeedsScript } from "../../ui/NeedsScript.tsx";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { toastError, toastSuccess } from "../../ui/toasts/toast.ts";
import { BLANK, type Draft, heldDraft, holdDraft } from "./draft.ts";

const FIELDS = Object.keys(BLANK) as (keyof Draft)[];

/** The mounted form. An earlier one may learn of its message after another was opened. */
let onPage: Pick<RulesForm<Draft>, "getValues" | "resetExcept">;

export function ContactForm() {
  useToastsAhead();
  const trap = useRef<HTMLInputElement>(null);
  const form = useRulesForm<Draft, Draft>({
    check: (rules, typed) => rules.checkContact(typed),
    blank: BLANK,
    kept: heldDraft(),
    async send(message) {
      const sent = form.getValues();
      const refusal = await sendMessage(message, trap.current?.value ?? "");
      // A browser's mistaken autofill must not block the next try.
      if (trap.current) trap.current.value = "";
      if (!refusal) {
        // Input since then is the next message.
        const typed = onPage.getValues();
        onPage.resetExcept(
          BLANK,
          FIELDS.filter((field) => typed[field] !== sent[field]),
        );
        holdDraft(onPage.getValues());
        toastSuccess("contact_sent");
        return;
      }
      if (form.showRefusal(refusal)) return;
      const { status, retryAfterSeconds } = refusal;
      if (status === 429 && retryAfterSeconds) {
        form.setProblem(`Too many messages. Please try again ${waitText(retryAfterSeconds)}.`);
      }
      toastError("contact_failed");
    },
  });

  useEffect(() => {
    onPage = form;
  });

  function field(name: keyof Draft) {
    return form.field(name, {
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        holdDraft({ ...heldDraft(), [name]: event.target.value }),
    });
  }

  return (
    <form
      noValidate
      // Submitted before the app is ready, a form would put its input into the address; this method sends nothing.
      method="dialog"
      aria-label="Contact"
      className="flex flex-col gap-6"
      onSubmit={form.onSubmit}
    >
      <h2 className="type-heading mb-2">Send us a message</h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 sm:grid-cols-2">
        <Field label="Name" aria-required autoComplete="name" {...field("name")} />
        <EmailField aria-required {...field("email")} />
      </div>
      <TextArea aria-required label="Message" {...field("message")} />
      <NeedsScript className="text-signal">Sending a message needs JavaScript.</NeedsScript>
      <Honeypot ref={trap} />
      <FormProblem>{form.problem}</FormProblem>
      <Button
        type="submit"
        isBusy={form.isSending}
        variant="main"
        className="min-h-14 justify-center"
      >
        {form.isSending ? "SENDING..." : "SEND MESSAGE"}
      </Button>
    </form>
  );
}

const names = createRequestNames();

/** Undefined once the server has accepted the message. */
async function sendMessage(message: Draft, trap: string): Promise<ApiError | undefined> {
  const body = { ...message, ...(trap && { trap }) };
  try {
    const { error } = await call("POST", "/api/contact", { body, headers: names.of(body) });
    // Another body is not this service's.
    if (error !== null) return new ApiError(0, {});
    names.end();
    return undefined;
  } catch (error) {
    return apiError(error);
  }
}

/** A wait in words: `in 9 minutes`, `in 3 hours`. Rounded up, so that waiting that long is enough. */
export function waitText(seconds: number): string {
  const words = new Intl.RelativeTimeFormat("en");
  if (seconds <= 90) return words.format(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return words.format(minutes, "minute");
  return words.format(Math.ceil(minutes / 60), "hour");
}
