// A key of the desk: what it does, and which key of the keyboard does the same.
import type { ComponentProps } from "react";
import { Button } from "../../../ui/Button.tsx";

interface DeskKeyProps extends ComponentProps<typeof Button> {
  /** As it is written on the keyboard. */
  shortcut: string;
  /** As machines are told it, where that is something else. */
  keyShortcut?: string;
}

export function DeskKey({ shortcut, keyShortcut = shortcut, children, ...button }: DeskKeyProps) {
  return (
    <Button {...button} aria-keyshortcuts={keyShortcut}>
      <span className="flex-1 text-left">{children}</span>
      <span aria-hidden="true" className="ml-3 border-current border-l pl-2.5 max-sm:hidden">
        {shortcut}
      </span>
    </Button>
  );
}
