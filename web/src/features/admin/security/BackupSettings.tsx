// How often backups are made, and how many are kept.
import { useId } from "react";
import { type Answer, call } from "../../../api/client.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useSettingsForm } from "../editing/useSettingsForm.ts";
import { wholeNumber } from "../editing/wholeNumber.ts";
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
  onSaved: (after: View) => Promise<void>;
  /** Someone else may have saved in the meantime, or the answer was lost. */
  onFailed: () => void;
  onClose: () => void;
}

export function BackupSettings({ stored, onSaved, onFailed, onClose }: Props) {
  const id = useId();
  const form = useSettingsForm({
    stored: {
      interval_hours: String(stored.interval_hours),
      keep_days: String(stored.keep_days),
      keep_weeks: String(stored.keep_weeks),
      keep_months: String(stored.keep_months),
    },
    send: (touched) =>
      call("PUT", "/api/admin/backups/settings", {
        headers: ifMatch(stored),
        body: {
          interval_hours: numberOf(touched.interval_hours, stored.interval_hours),
          keep_days: numberOf(touched.keep_days, stored.keep_days),
          keep_weeks: numberOf(touched.keep_weeks, stored.keep_weeks),
          keep_months: numberOf(touched.keep_months, stored.keep_months),
        },
      }),
    messages: { saved: "backup_settings_saved", failed: "backups_change_failed" },
    onSaved,
    // The untouched fields then show the newest settings; saving again replaces the others.
    onFailed,
    onClose,
  });
  const { value, error, onChange } = form.field("interval_hours");
  return (
    <form noValidate className="flex max-w-3xl flex-col items-start gap-5" onSubmit={form.onSubmit}>
      <div className="flex flex-col gap-2">
        <label htmlFor={id} className="type-label uppercase">
          How often
        </label>
        <Select
          id={id}
          className="w-48"
          options={INTERVALS}
          value={value as (typeof INTERVALS)[number][0]}
          onChoose={(hours) => onChange({ target: { value: hours } })}
        />
        {error && <p className="text-signal">{error}</p>}
      </div>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="type-label mb-2 text-dim uppercase">The last backup is kept of</legend>
        {KEPT.map(({ field, label }) => (
          <Field
            key={field}
            label={label}
            className="w-32"
            inputMode="numeric"
            {...form.field(field)}
          />
        ))}
      </fieldset>
      <Button type="submit" variant="main" isBusy={form.isSaving}>
        {form.isSaving ? "Saving..." : "SAVE"}
      </Button>
      {form.question}
    </form>
  );
}

function numberOf(typed: string | undefined, stored: number): number {
  return typed === undefined ? stored : wholeNumber(typed);
}
