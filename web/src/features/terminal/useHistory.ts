// Earlier questions under the arrow keys, as in a shell.
import { type KeyboardEvent, useRef } from "react";
import { isComposing } from "../../ui/composing.ts";

/**
 * Handles the keys of an input that holds `typed`. `asked` are the questions so far, oldest first. What stood in the
 * input before is kept and comes back behind the newest.
 */
export function useHistory(
  asked: readonly string[],
  typed: string,
  setTyped: (text: string) => void,
) {
  const questions = asked.filter((question, index) => question !== asked[index - 1]);
  /** The question on show; the draft where it is one past the last. */
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
      // While letters are composed the arrows choose among them.
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
    /** To be called when a question was asked: the next look begins at the newest. */
    leave(): void {
      at.current = undefined;
    },
  };
}
