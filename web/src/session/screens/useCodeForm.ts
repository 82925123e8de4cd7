// What both forms of the second step do: ask the rules about a code, send it, and say what was wrong with it.
import { type FormEvent, useRef, useState } from "react";
import { useSingleMutation } from "../../api/useSingleMutation.ts";
import { type Rules, withRules } from "../../rules/rules.ts";

interface CodeFormOptions {
  /** The factor was given already: nothing more is sent. */
  isDone: boolean;
  /** What the rules make of the code as typed. */
  check: (rules: Rules, typed: string) => { code: string | undefined; problem: string | undefined };
  /** Sends a code; answers what was wrong, and nothing for a right one. Never throws. */
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
      // The next code is typed over this one.
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
