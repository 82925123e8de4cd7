import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, apiError, call } from "../../../../api/client.ts";
import { PROMISE_WINDOW_DAYS } from "../../../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../../../rules/rules.ts";
import { MAY_BE_SAVED, wordsFor } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { Switch } from "../../../../ui/Switch.tsx";
import { useSettingsForm } from "../../editing/useSettingsForm.ts";
import { wholeNumber } from "../../editing/wholeNumber.ts";
import { summaryQuery } from "../deskCalls.ts";
import type { DeskSummary } from "../deskTypes.ts";

const NOT_SAVED = "That did not work. Nothing was saved.";

interface SettingsDialogProps {
  summary: DeskSummary;
  onClose: () => void;
}

export function SettingsDialog({
  summary: { settings, promise_days },
  onClose,
}: SettingsDialogProps) {
  const client = useQueryClient();
  const days = useRef<HTMLInputElement>(null);
  const form = useSettingsForm({
    stored: {
      overdue_days: String(settings.overdue_days),
      hides_decision: String(settings.hides_decision),
    },
    async send({ overdue_days, hides_decision }) {
      await loadRules();
      const typed = overdue_days ?? String(settings.overdue_days);
      const refused = withRules((rules) => rules.checkOverdueDays(typed));
      if (refused) {
        days.current?.focus();
        throw new ApiError(422, { fields: { overdue_days: refused.message } });
      }
      return call("PATCH", "/api/admin/desk/settings", {
        body: {
          ...(overdue_days !== undefined && { overdue_days: wholeNumber(overdue_days) }),
          ...(hides_decision && { hides_decision: hides_decision === "true" }),
        },
      });
    },
    onSaved: async () => void client.invalidateQueries({ queryKey: summaryQuery.queryKey }),
    onClose,
  });
  const failure = form.failure && apiError(form.failure);
  const { value: hides, onChange } = form.field("hides_decision");
  return (
    <Modal title="Desk Settings" onClose={() => form.askBefore(onClose)}>
      <form noValidate className="flex flex-col gap-5 p-gutter" onSubmit={form.onSubmit}>
        <Field
          ref={days}
          label="Overdue after days"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("overdue_days")}
        />
        <Switch
          label="Senders learn of the decision with the answer"
          checked={hides === "true"}
          onChange={({ target }) => onChange({ target: { value: String(target.checked) } })}
        />
        <p className="text-dim">
          {promise_days === null
            ? `Too few demos were heard in the last ${PROMISE_WINDOW_DAYS} days to promise anything to senders.`
            : `The demo dialog says: We listen within ${promise_days === 1 ? "1 day" : `${promise_days} days`}.`}
        </p>
        <FormProblem>
          {failure ? wordsFor(failure, failure.isUnsure ? MAY_BE_SAVED : NOT_SAVED) : undefined}
        </FormProblem>
        <Button type="submit" variant="main" size="large" isBusy={form.isSaving}>
          {form.isSaving ? "Saving..." : "Save"}
        </Button>
      </form>
      {form.question}
    </Modal>
  );
}
