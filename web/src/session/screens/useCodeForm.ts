// The shared logic of both code forms: check, send, and show the error.
import { type FormEvent, useRef, useState } from "react";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { type Rules, withRules } from "../../rules/rules.ts";

interface CodeFormOptions {
  isDone: boolean;
  /** The rules' reading of the typed code. */
  check: (rules: Rules, typed: string) => { code: string | undefined; problem: string | undefined };
  /** Sends a code, and resolves to the error; undefined for a right one. Never throws. */
  verify: (code: string) => Promise<string | undefined>;
  onVerified: () => void;
}

export function useCodeForm({ isDone, check, verify, onVerified }: CodeFormOptions) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: verify,
    onSuccess(problem) {
      if (problem === undefined) return onVerified();
      setError(problem);
      input.current?.select();
    },
  });

  function submit(): void {
    if (isPending || isDone) return;
    setError(undefined);
    const checked = withRules((rules) => check(rules, code));
    if (checked?.problem !== undefined) {
      setError(checked.problem);
      input.current?.focus();
      return;
    }
    mutate(checked?.code ?? code);
  }

  return {
    input,
    code,
    setCode,
    error,
    isSending: isPending,
    onSubmit(event: FormEvent): void {
      event.preventDefault();
      submit();
    },
  };
}
