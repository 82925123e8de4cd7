// The form for the code that a change of the second factor needs.
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { withRules } from "../../rules/rules.ts";
import { Button } from "../../ui/Button.tsx";
import { isComposing } from "../../ui/composing.ts";
import { Field } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";

interface CodeFormProps {
  /** The button's label. */
  action: ReactNode;
  isDestroying?: boolean;
  /** True if the code can be typed at once. */
  isAtHand?: boolean;
  isBusy: boolean;
  /** The error of the last try. */
  problem: string | undefined;
  onCode: (code: string) => void;
  onCancel: () => void;
}

export function CodeForm({
  action,
  isDestroying = false,
  isAtHand = false,
  isBusy,
  problem,
  onCode,
  onCancel,
}: CodeFormProps) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const check = withRules((rules) => rules.totpCode(code));
  const isComplete = check ? check.problems === undefined : code.length > 0;

  /** A form with a disabled button cannot be submitted, and Enter would do nothing. */
  function sayOnEnter(event: KeyboardEvent): void {
    if (event.key !== "Enter" || isComplete || isComposing(event)) return;
    event.preventDefault();
    setError(check?.problems?.[0]?.message);
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !isBusy) onCode(check?.value ?? code);
      }}
    >
      <Field
        autoFocus={isAtHand}
        label="6-digit code"
        aria-required
        className="max-w-64"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        error={error}
        value={code}
        onChange={({ target }) => {
          setError(undefined);
          setCode(withRules((rules) => rules.totpInput(target.value)) ?? target.value);
        }}
        onKeyDown={sayOnEnter}
      />
      <FormProblem>{problem}</FormProblem>
      <div className="type-label flex flex-wrap gap-3">
        <Button
          type="submit"
          variant={isDestroying ? "destroy" : "main"}
          disabled={!isComplete}
          isBusy={isBusy}
        >
          {isBusy ? "Verifying..." : action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
