// Hears the keys of the desk, wherever on the page the focus is.
import { useEffect, useEffectEvent } from "react";
import { isComposing } from "../../../../ui/composing.ts";
import { type Command, commandOf, focusOf } from "./commands.ts";

/** Runs what a key means, while keys are on. */
export function useShortcuts(isOn: boolean, run: (command: Command) => void): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    // A dialog that is open takes all keys, also where nothing in it has the focus.
    if (document.querySelector("[data-modal], dialog[open]")) return;
    const command = commandOf(event, focusOf(event.target));
    if (!command) return;
    event.preventDefault();
    run(command);
  });
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => hear(event);
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
}
