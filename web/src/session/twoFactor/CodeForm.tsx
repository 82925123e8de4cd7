// The form for the code that a change of the second factor needs.
import type { ReactNode } from "react";
import { apiError } from "../../api/client.ts";
import { type RulesForm, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { withRules } from "../../rules/rules.ts";
import { Button } from "../../ui/Button.tsx";
import { isComposing } from "../../ui/composing.ts";
import { Field } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import type { TextCode } from "../../ui/messages.ts";
import { isCancelled } from "../challenge.ts";
import { factorProblem } from "../mfaCalls.ts";
import { useProfileChanges } from "../profileQuery.ts";
import { orMayBeDone } from "../wordsFor.ts";

interface CodeFormProps {
  action: ReactNode;
  isDestroying?: boolean;
  /** True if the code can be typed at once. */
  isAtHand?: boolean;
  onCode: (code: string) => Promise<void>;
  /** The text for a failure of `onCode`. */
  failed: TextCode;
  onCancel: () => void;
}

export function CodeForm({
  action,
  isDestroying = false,
  isAtHand = false,
  onCode,
  failed,
  onCancel,
}: CodeFormProps) {
  const { readAgain } = useProfileChanges();
  const form = useRulesForm({
    check: (rules, { code }) => rules.totpCode(code),
    unchecked: ({ code }) => code,
    blank: { code: "" },
    rechecks: false,
    async send(code) {
      try {
        await onCode(code);
      } catch (error) {
        const problem = factorProblem(error, failed);
        form.setProblem(problem && orMayBeDone(error, problem));
        if (!isCancelled(error) && apiError(error).isUnsure) void readAgain();
      }
    },
  });
  const code = form.valueOf("code");
  const check = withRules((rules) => rules.totpCode(code));
  const isComplete = check ? check.problems === undefined : code.length > 0;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <Field
        autoFocus={isAtHand}
        label="6-digit code"
        aria-required
        className="max-w-64"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        {...form.field("code", {
          onChange({ target }) {
            form.clearError("code");
            keepDigits(form, target.value);
          },
        })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isComplete || isComposing(event)) return;
          event.preventDefault();
          // A form with a disabled button cannot be submitted by Enter.
          if (check) form.onSubmit(event);
        }}
      />
      <FormProblem>{form.problem}</FormProblem>
      <div className="type-label flex flex-wrap gap-3">
        <Button
          type="submit"
          variant={isDestroying ? "destroy" : "main"}
          disabled={!isComplete}
          isBusy={form.isSending}
        >
          {form.isSending ? "Verifying..." : action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

/** Keeps the digits of what was typed or pasted into the field `code`. */
export function keepDigits({ fill }: Pick<RulesForm<{ code: string }>, "fill">, typed: string) {
  const digits = withRules((rules) => rules.totpInput(typed));
  if (digits !== undefined && digits !== typed) fill("code", digits);
}
