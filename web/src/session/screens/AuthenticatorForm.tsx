// The form for the authenticator's code.
import { withRules } from "../../rules/rules.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextButton } from "../../ui/TextButton.tsx";
import { verifyTotp } from "../mfaCalls.ts";
import { mfaProblem } from "../mfaMessages.ts";
import { useCodeForm } from "./useCodeForm.ts";

interface AuthenticatorFormProps {
  isDone: boolean;
  onVerified: () => void;
  onLost: () => void;
}

export function AuthenticatorForm({ isDone, onVerified, onLost }: AuthenticatorFormProps) {
  const form = useCodeForm({
    isDone,
    check(rules, typed) {
      const { value, problems } = rules.totpCode(typed);
      return { code: value, problem: problems?.[0]?.message };
    },
    verify: (code) => verifyTotp(code).then(() => undefined, mfaProblem),
    onVerified,
  });

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <p className="text-dim">Enter the code that your authenticator app shows for this account.</p>
      <Field
        ref={form.input}
        autoFocus
        label="Verification code"
        aria-required
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        error={form.error}
        value={form.code}
        onChange={({ target }) =>
          form.setCode(withRules((rules) => rules.totpInput(target.value)) ?? target.value)
        }
      />
      <Button type="submit" isBusy={form.isSending || isDone} variant="main" size="large">
        {form.isSending ? "Verifying..." : "Verify"}
      </Button>
      <TextButton size="large" disabled={isDone} onClick={onLost}>
        Can't access your authenticator app?
      </TextButton>
    </form>
  );
}
