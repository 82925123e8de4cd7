// How often backups are made, and how many are kept.
import { type FormEvent, useId, useState } from "react";
import { type Answer, apiError, call } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastFailure, wordsForField } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { ifMatch } from "../resource/resourceConfig.ts";

type View = Answer<"PUT", "/api/admin/backups/settings">;
type Settings = View["settings"];

const INTERVALS = [
  ["1", "Every hour"],
  ["6", "Every 6 hours"],
  ["24", "Every day"],
] as const;

const KEPT = [
  { field: "keep_days", label: "Days", unit: "day" },
  { field: "keep_weeks", label: "Weeks", unit: "week" },
  { field: "keep_months", label: "Months", unit: "month" },
] as const;

const FIELDS = ["interval_hours", ...KEPT.map(({ field }) => field)] as const;

/** Such as: Every day; the last of 7 days, 4 weeks and 12 months is kept. */
export function keptWords(settings: Settings): string {
  const often = INTERVALS.find(([hours]) => hours === String(settings.interval_hours))?.[1];
  const parts = KEPT.filter(({ field }) => settings[field] > 0).map(
    ({ field, unit }) => `${settings[field]} ${unit}${settings[field] === 1 ? "" : "s"}`,
  );
  const kept = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0];
  return `${often ?? "Regularly"}; the last of ${kept} is kept.`;
}

interface Props {
  stored: Settings;
  onSaved: (after: View) => void;
  /** Someone else has saved in the meantime. */
  onStale: () => void;
}

export function BackupSettings({ stored, onSaved, onStale }: Props) {
  const id = useId();
  const [typed, setTyped] = useState({
    interval_hours: String(stored.interval_hours),
    keep_days: String(stored.keep_days),
    keep_weeks: String(stored.keep_weeks),
    keep_months: String(stored.keep_months),
  });
  const [first] = useState(typed);
  const { question } = useUnsaved(JSON.stringify(typed) !== JSON.stringify(first));
  const save = useSingleMutation({
    mutationFn: () =>
      call("PUT", "/api/admin/backups/settings", {
        headers: ifMatch(stored),
        body: {
          interval_hours: wholeNumber(typed.interval_hours),
          keep_days: wholeNumber(typed.keep_days),
          keep_weeks: wholeNumber(typed.keep_weeks),
          keep_months: wholeNumber(typed.keep_months),
        },
      }),
    onSuccess: (after) => {
      toastSuccess("backup_settings_saved");
      onSaved(after);
    },
    onError: (error) => {
      if (FIELDS.some((field) => wordsForField(error, field))) return;
      toastFailure(error, "backups_change_failed");
      // The newest settings are shown above the form; saving again replaces them.
      if (apiError(error).status === 412) onStale();
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
    <form noValidate className="flex max-w-3xl flex-col items-start gap-5" onSubmit={submit}>
      <div className="flex flex-col gap-2">
        <label htmlFor={id} className="type-label uppercase">
          How often
        </label>
        <Select
          id={id}
          className="w-48"
          options={INTERVALS}
          value={typed.interval_hours as (typeof INTERVALS)[number][0]}
          onChoose={(hours) => change("interval_hours", hours)}
        />
      </div>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="type-label mb-2 text-dim uppercase">The last backup is kept of</legend>
        {KEPT.map(({ field, label }) => (
          <Field
            key={field}
            label={label}
            className="w-32"
            inputMode="numeric"
            value={typed[field]}
            error={problem(field)}
            onChange={({ target }) => change(field, target.value)}
          />
        ))}
      </fieldset>
      <Button type="submit" variant="main" isBusy={save.isPending}>
        {save.isPending ? "Saving..." : "SAVE"}
      </Button>
      {question}
    </form>
  );
}

/** Anything else becomes a number that the server refuses with its words. */
function wholeNumber(typed: string): number {
  const number = typed.trim() === "" ? Number.NaN : Number(typed);
  return Number.isInteger(number) ? number : -1;
}
