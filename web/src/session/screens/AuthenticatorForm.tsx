// The six digits of the authenticator.
import { type FormEvent, useRef, useState } from "react";
import { withRules } from "../../rules/rules.ts";
import { Field } from "../../ui/Field.tsx";
import { verifyTotp } from "../mfaCalls.ts";
import { mfaProblem } from "../mfaWords.ts";

interface AuthenticatorFormProps {
  isDone: boolean;
  onVerified: () => void;
  /** The authenticator is out of reach. */
  onLost: () => void;
}

export function AuthenticatorForm({ isDone, onVerified, onLost }: AuthenticatorFormProps) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const input = useRef<HTMLInputElement>(null);

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy.current || isDone) return;
    setError(undefined);
    const checked = withRules((rules) => rules.totpCode(code));
    if (checked?.problems) {
      setError(checked.problems[0]?.message);
      input.current?.focus();
      return;
    }
    isBusy.current = true;
    setSending(true);
    try {
      await verifyTotp(checked?.value ?? code);
      onVerified();
    } catch (failure) {
      setError(mfaProblem(failure));
      // The next code is typed over this one.
      input.current?.select();
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  }

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void verify(event)}>
      <p className="text-dim">Enter the code that your authenticator app shows for this account.</p>
      <Field
        ref={input}
        autoFocus
        label="Verification code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        error={error}
        value={code}
        onChange={({ target }) =>
          setCode(withRules((rules) => rules.totpInput(target.value)) ?? target.value)
        }
      />
      <button
        type="submit"
        aria-disabled={isSending || isDone}
        className="key key-main type-label min-h-12 justify-center uppercase"
      >
        {isSending ? "Verifying..." : "Verify"}
      </button>
      <button
        type="button"
        disabled={isDone}
        className="type-label min-h-9 self-start text-left underline decoration-dim underline-offset-4 hover:decoration-ink"
        onClick={onLost}
      >
        Can't access your authenticator app?
      </button>
    </form>
  );
}
