import { useId, useRef, useState } from "react";

/** A button that shows and hides a frame, which keeps what was typed in it. */
export function useFold() {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  return {
    button: {
      ref: button,
      "aria-expanded": isOpen,
      "aria-controls": id,
      onClick: () => setOpen(!isOpen),
    },
    frame: { ref: frame, id, hidden: !isOpen },
    /** Moves the focus from the frame to the button: browsers drop that of a hidden element. */
    close(): void {
      if (frame.current?.contains(document.activeElement)) button.current?.focus();
      setOpen(false);
    },
  };
}
