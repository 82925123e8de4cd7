// Escape as the way back from a form or a question that was opened in its place.
import type { KeyboardEvent } from "react";
import { isComposing } from "./composing.ts";

/** For `onKeyDown`. While characters are composed, Escape belongs to the composition. */
export function onEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape" || isComposing(event)) return;
    event.preventDefault();
    close();
  };
}
