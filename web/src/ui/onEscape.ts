import type { KeyboardEvent } from "react";
import { isComposing } from "./composing.ts";

/** For `onKeyDown`: Escape closes. During composition, Escape belongs to the input method. */
export function onEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape" || isComposing(event)) return;
    event.preventDefault();
    close();
  };
}
