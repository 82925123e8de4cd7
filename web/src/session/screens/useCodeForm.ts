// What both forms of the second step do: ask the rules about a code, send it, and say what was wrong with it.
import { type FormEvent, useRef, useState } from "react";
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
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const input = useRef<HTMLInputElement>(null);

  async function submit(): Promise<void> {
    if (isBusy.current || isDone) return;
    setError(undefined);
    const checked = withRules((rules) => check(rules, code));
    if (checked?.problem !== undefined) {
      setError(checked.problem);
      input.current?.focus();
      return;
    }
    isBusy.current = true;
    setSending(true);
    const problem = await verify(checked?.code ?? code);
    isBusy.current = false;
    setSending(false);
    if (problem === undefined) return onVerified();
    setError(problem);
    // The next code is typed over this one.
    input.current?.select();
  }

  return {
    input,
    code,
    setCode,
    error,
    isSending,
    onSubmit(event: FormEvent): void {
      event.preventDefault();
      void submit();
    },
  };
}
