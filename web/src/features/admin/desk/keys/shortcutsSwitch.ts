// Whether single keys work at the desk; remembered by the browser, for all its tabs.
import { useSyncExternalStore } from "react";
import { createBrowserStore } from "../../../../session/browserStore.ts";

const store = createBrowserStore("deadwax.desk-shortcuts", (found) => found !== false);

/** Whether they work, and what turns them on and off. */
export function useShortcutsSwitch(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(store.subscribe, store.get, () => true);
  return [isOn, (next) => store.update(() => next)];
}
