// Keys that belong to an input method: while characters are composed, Enter, Escape and the arrows choose among them.
import type { KeyboardEvent as ReactKeyboardEvent } from "react";

/** Safari ends a composition before the key that ended it is told; by this code it says so all the same (UI Events, 5.3.3). */
const COMPOSED = 229;

/** Whether the key is part of a composition, and means nothing else. */
export function isComposing(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === COMPOSED;
}
