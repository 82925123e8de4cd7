// Earlier questions by the arrow keys, as in a shell.
import { type KeyboardEvent, useRef } from "react";
import { isComposing } from "../../ui/composing.ts";

/**
 * Handles the keys of an input that holds `typed`. `asked` are the questions so far, oldest first. The draft comes back
 * after the newest.
 */
export function useHistory(
  asked: readonly string[],
  typed: string,
  setTyped: (text: string) => void,
) {
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
