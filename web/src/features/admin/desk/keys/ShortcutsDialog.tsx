import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { createBrowserStore } from "../../../../session/browserStore.ts";
import { isComposing } from "../../../../ui/composing.ts";
import { Modal } from "../../../../ui/Modal.tsx";
import { Switch } from "../../../../ui/Switch.tsx";
import { COMMANDS, type Command, commandOf, focusOf } from "./commands.ts";

interface ShortcutsDialogProps {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  onClose: () => void;
}

export function ShortcutsDialog({ isOn, onToggle, onClose }: ShortcutsDialogProps) {
  return (
    <Modal title="Keys" onClose={onClose}>
      <div className="flex flex-col gap-5 p-gutter">
        <Switch
          label="Shortcuts"
          checked={isOn}
          onChange={({ target }) => onToggle(target.checked)}
        />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] text-[0.75rem]">
          {Object.values(COMMANDS).map(({ key, help }) => (
            <div
              key={key}
              className="col-span-2 grid grid-cols-subgrid gap-x-6 border-hairline border-t py-2"
            >
              <dt>
                <kbd className="type-label">{key}</kbd>
              </dt>
              <dd className={isOn ? "" : "text-dim"}>{help}</dd>
            </div>
          ))}
        </dl>
        <p className="text-dim">
          No key works while a field has the focus. The space bar presses a button that has it. Off,
          everything is still done by the buttons on the screen.
        </p>
      </div>
    </Modal>
  );
}

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
