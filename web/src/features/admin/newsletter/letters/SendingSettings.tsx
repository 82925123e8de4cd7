// The pace of letters, and the postal address below them.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../../../api/client.ts";
import { putAnswer } from "../../../../api/putAnswer.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { useFold } from "../../editing/useFold.ts";
import { useSettingsForm } from "../../editing/useSettingsForm.ts";
import { wholeNumber } from "../../editing/wholeNumber.ts";
import { consentQuery } from "../Consent.tsx";

type Settings = Answer<"PATCH", "/api/admin/newsletter/settings">;

const FIELDS = [
  { field: "letters_a_second", label: "A second", isOptional: false },
  { field: "letters_an_hour", label: "An hour", isOptional: true },
  { field: "letters_a_day", label: "A day", isOptional: true },
] as const;

export function SendingSettings() {
  const { data } = useQuery(consentQuery);
  const fold = useFold();
  return (
    <div className="flex flex-col items-start gap-4">
      <Button {...fold.button} disabled={!data}>
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
      <div {...fold.frame} className="w-full">
        {data && <Form stored={data.settings} onClose={fold.close} />}
      </div>
    </div>
  );
}

function Form({ stored, onClose }: { stored: Settings; onClose: () => void }) {
  const client = useQueryClient();
  const form = useSettingsForm({
    stored: {
      letters_a_second: String(stored.letters_a_second),
      letters_an_hour: String(stored.letters_an_hour ?? ""),
      letters_a_day: String(stored.letters_a_day ?? ""),
      postal_address: stored.postal_address,
    },
    send: ({ postal_address, ...numbers }) =>
      call("PATCH", "/api/admin/newsletter/settings", {
        body: {
          ...(postal_address !== undefined && { postal_address }),
          ...Object.fromEntries(
            // An empty field sets no bound.
            Object.entries(numbers).map(([field, typed]) => [field, wholeNumber(typed, 0)]),
          ),
        },
      }),
    messages: { saved: "sending_settings_saved", failed: "newsletter_change_failed" },
    onSaved: (settings) => putAnswer(client, consentQuery, (old) => old && { ...old, settings }),
    onClose,
  });
  return (
    <form noValidate className="flex max-w-3xl flex-col items-start gap-4" onSubmit={form.onSubmit}>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="type-label mb-2 text-dim uppercase">Letters, at most</legend>
        {FIELDS.map(({ field, label, isOptional }) => (
          <Field
            key={field}
            label={label}
            className="w-32"
            inputMode="numeric"
            placeholder={isOptional ? "No bound" : undefined}
            {...form.field(field)}
          />
        ))}
      </fieldset>
      <TextArea
        label="Postal address"
        className="w-full"
        hint="Below each letter. Many countries require one."
        {...form.field("postal_address")}
      />
      <Button type="submit" variant="main" isBusy={form.isSaving}>
        {form.isSaving ? "Saving..." : "SAVE"}
      </Button>
      {form.question}
    </form>
  );
}
