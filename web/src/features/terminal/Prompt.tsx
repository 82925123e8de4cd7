import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { withRules } from "../../rules/rules.ts";
import { Button } from "../../ui/Button.tsx";
import { isComposing } from "../../ui/composing.ts";
import { NeedsScript } from "../../ui/NeedsScript.tsx";
import { isFocusFree } from "../../ui/takeFocus.ts";
import type { Line } from "./conversation.ts";

interface PromptProps {
  lines: readonly Line[];
  isBooted: boolean;
  isPending: boolean;
  onAsk: (question: string) => void;
}

export function Prompt({ lines, isBooted, isPending, onAsk }: PromptProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const asked = lines.filter(({ type }) => type === "user").map(({ content }) => content);
  const history = useHistory(asked, typed, setTyped);
  const isReady = isBooted && !isPending;
  const input = useFocusWhenFree(isReady);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const canSubmit = withRules((rules) => rules.canSubmit(typed, !isReady));
    if (!(canSubmit ?? (isReady && typed.trim() !== ""))) return;
    const checked = withRules((rules) => rules.checkTerminalMessage(typed));
    setProblem(checked?.problems?.[0]?.message);
    if (checked?.problems) return;
    onAsk(checked?.value ?? typed.trim());
    setTyped("");
    history.leave();
  }

  return (
    <form
      noValidate
      method="dialog"
      aria-label="Terminal"
      className="group relative flex-none border-dim border-t-2 has-[input:focus]:border-t-signal"
      onSubmit={submit}
    >
      {isPending && (
        <progress aria-hidden="true" className="meter absolute inset-x-0 -top-0.5 w-full" />
      )}
      <NeedsScript className="px-gutter pt-3 text-signal">
        The terminal answers questions about artists and records. It needs JavaScript.
      </NeedsScript>
      <div className="flex flex-wrap items-center gap-x-3 px-gutter lg:grid lg:grid-cols-12 lg:gap-x-gutter">
        <label
          htmlFor="command"
          className="type-label flex w-full flex-none items-center gap-3 pt-3 lg:col-span-3 lg:w-auto lg:pt-0"
        >
          <span
            aria-hidden="true"
            className={`block-cursor text-[0.8125rem] ${isReady ? "group-has-[input:focus]:text-signal" : "text-dim"}`}
          />
          COMMAND
        </label>
        <input
          ref={input}
          id="command"
          name="command"
          dir="auto"
          data-first-field
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          disabled={!isReady}
          value={typed}
          placeholder="Ask, or type help"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : "command-problem"}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={history.onKeyDown}
          className="type-lead h-14 min-w-0 flex-1 lg:h-16 placeholder:font-[400] placeholder:text-dim placeholder:opacity-100 font-[700] caret-signal outline-hidden [caret-shape:block] lg:col-span-8"
        />
        <Button
          type="submit"
          disabled={!isReady}
          className="flex-none justify-center whitespace-nowrap lg:px-2"
        >
          SEND
        </Button>
      </div>
      {problem && (
        <p id="command-problem" role="alert" className="grid-sheet pb-5 text-signal">
          <span className="col-span-12 lg:col-span-9 lg:col-start-4">{problem}</span>
        </p>
      )}
    </form>
  );
}

/** Focuses the input whenever it becomes usable, unless the focus has moved on. */
function useFocusWhenFree(isReady: boolean) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isReady) return;
    if (isFocusFree()) input.current?.focus({ preventScroll: true });
  }, [isReady]);
  return input;
}

/**
 * Handles the keys of an input that holds `typed`. `asked` are the questions so far, oldest first. The draft comes back
 * after the newest.
 */
function useHistory(asked: readonly string[], typed: string, setTyped: (text: string) => void) {
  const questions = asked.filter((question, index) => question !== asked[index - 1]);
  /** The index of the shown question; undefined for the draft. */
  const at = useRef<number>(undefined);
  const draft = useRef("");

  function go(to: number): void {
    if (at.current === undefined) draft.current = typed;
    at.current = to < questions.length ? to : undefined;
    setTyped(questions[to] ?? draft.current);
  }

  return {
    onKeyDown(event: KeyboardEvent): void {
      const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
      if (hasModifier || isComposing(event)) return;
      const from = at.current ?? questions.length;
      if (event.key === "ArrowUp" && questions.length > 0) {
        event.preventDefault();
        go(Math.max(from - 1, 0));
      } else if (event.key === "ArrowDown" && from < questions.length) {
        event.preventDefault();
        go(from + 1);
      }
    },
    /** Call it after a question: the next look starts at the newest. */
    leave(): void {
      at.current = undefined;
    },
  };
}
