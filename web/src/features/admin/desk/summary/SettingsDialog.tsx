import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { apiError, call } from "../../../../api/client.ts";
import { PROMISE_WINDOW_DAYS } from "../../../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../../../rules/rules.ts";
import { MAY_BE_SAVED, wordsFor, wordsForField } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { Field } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { Switch } from "../../../../ui/Switch.tsx";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { useIsMounted } from "../../../../ui/useIsMounted.ts";
import { wholeNumber } from "../../editing/wholeNumber.ts";
import { summaryQuery } from "../deskCalls.ts";
import type { DeskSummary } from "../deskTypes.ts";

interface SettingsDialogProps {
  summary: DeskSummary;
  onClose: () => void;
}

export function SettingsDialog({
  summary: { settings, promise_days },
  onClose,
}: SettingsDialogProps) {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  // Undefined while untouched: then the stored value is shown and not sent.
  const [typedDays, setDays] = useState<string>();
  const [switched, setHidesDecision] = useState<boolean>();
  const days = typedDays ?? String(settings.overdue_days);
  const hidesDecision = switched ?? settings.hides_decision;
  const changes = {
    ...(days !== String(settings.overdue_days) && { overdue_days: wholeNumber(days) }),
    ...(hidesDecision !== settings.hides_decision && { hides_decision: hidesDecision }),
  };
  const { askBefore, question } = useUnsaved(Object.keys(changes).length > 0);
  const [isSaving, setSaving] = useState(false);
  const [daysProblem, setDaysProblem] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  // Read after a save: changes made in the meantime stay, to be saved next.
  const typed = useRef({ typedDays, switched });
  useLayoutEffect(() => {
    typed.current = { typedDays, switched };
  });

  async function save(): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    setProblem(undefined);
    await loadRules();
    const refused = withRules((rules) => rules.checkOverdueDays(days));
    setDaysProblem(refused?.message);
    if (refused) {
      setSaving(false);
      field.current?.focus();
      return;
    }
    try {
      await call("PATCH", "/api/admin/desk/settings", { body: changes });
      void client.invalidateQueries({ queryKey: summaryQuery.queryKey });
      const isAllOfIt =
        typed.current.typedDays === typedDays && typed.current.switched === switched;
      if (!isAllOfIt) setSaving(false);
      // Another dialog may be open by then.
      else if (isMounted()) onClose();
    } catch (error) {
      const aboutDays = wordsForField(error, "overdue_days");
      setDaysProblem(aboutDays);
      const failed = apiError(error).isUnsure
        ? MAY_BE_SAVED
        : "That did not work. Nothing was saved.";
      if (!aboutDays) setProblem(wordsFor(error, failed));
      setSaving(false);
    }
  }
  return (
    <Modal title="Desk Settings" onClose={() => askBefore(onClose)}>
      <div className="flex flex-col gap-5 p-gutter">
        <Field
          ref={field}
          label="Overdue after days"
          inputMode="numeric"
          autoComplete="off"
          error={daysProblem}
          value={days}
          onChange={({ target }) => setDays(target.value)}
          onKeyDown={(event) => event.key === "Enter" && !isComposing(event) && void save()}
        />
        <Switch
          label="Senders learn of the decision with the answer"
          checked={hidesDecision}
          onChange={({ target }) => setHidesDecision(target.checked)}
        />
        <p className="text-dim">
          {promise_days === null
            ? `Too few demos were heard in the last ${PROMISE_WINDOW_DAYS} days to promise anything to senders.`
            : `The demo dialog says: We listen within ${promise_days === 1 ? "1 day" : `${promise_days} days`}.`}
        </p>
        <FormProblem>{problem}</FormProblem>
        <Button variant="main" size="large" isBusy={isSaving} onClick={() => void save()}>
          {isSaving ? "Saving..." : "Save"}
        </Button>
      </div>
      {question}
    </Modal>
  );
}
