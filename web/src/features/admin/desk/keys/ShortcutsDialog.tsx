import { Modal } from "../../../../ui/Modal.tsx";
import { Switch } from "../../../../ui/Switch.tsx";
import { COMMANDS } from "./commands.ts";

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
