import type { ComponentProps } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useDeskState } from "./deskState.ts";
import { COMMANDS, type CommandId } from "./keys/commands.ts";

interface CommandButtonProps extends ComponentProps<typeof Button> {
  command: CommandId;
}

/** Shows the command's own label unless it has children. A submit button leaves the rest to its form. */
export function CommandButton({ command, children, ...button }: CommandButtonProps) {
  const { run } = useDeskState();
  const { key, ariaKey = key, label } = COMMANDS[command];
  return (
    <Button
      onClick={button.type === "submit" ? undefined : () => run({ id: command })}
      {...button}
      aria-keyshortcuts={ariaKey}
    >
      <span className="flex-1 text-left">{children ?? label}</span>
      <span aria-hidden="true" className="ml-3 border-current border-l pl-2.5 max-sm:hidden">
        {key}
      </span>
    </Button>
  );
}
