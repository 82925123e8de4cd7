// Runs the desk's commands by keyboard, wherever the focus is; a switch that the browser remembers turns that off.
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { createBrowserStore } from "../../../../session/browserStore.ts";
import { isComposing } from "../../../../ui/composing.ts";
import { type Command, commandOf, focusOf } from "./commands.ts";

const store = createBrowserStore("deadwax.desk-shortcuts", (found) => found !== false);

export function useShortcutsSwitch(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(store.subscribe, store.get, () => true);
  return [isOn, (next) => store.update(() => next)];
}

export function useShortcuts(isOn: boolean, run: (command: Command) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    // An open dialog takes all keys, even if nothing in it has the focus.
    if (document.querySelector("[data-modal], dialog[open]")) return;
    const command = commandOf(event, focusOf(event.target));
    if (!command) return;
    event.preventDefault();
    run(command);
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isOn]);
}
