// Keys of an input method: during composition, Enter, Escape and arrows choose among its candidates.
import type { KeyboardEvent as ReactKeyboardEvent } from "react";

/**
 * The code of such keys in Safari, which ends a composition before the event of the key that ended it (UI Events,
 * 5.3.3).
 */
const COMPOSED = 229;

export function isComposing(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === COMPOSED;
}
