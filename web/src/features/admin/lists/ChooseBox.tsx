// The box that chooses a row. With Shift it chooses all from the one that was pressed before.
import type { ChangeEvent } from "react";
import { type Choice, useIsChosen } from "./choice.ts";

interface ChooseBoxProps {
  choice: Choice;
  id: string;
  /** What the row is called. */
  name: string;
  className?: string;
}

export function ChooseBox({ choice, id, name, className = "" }: ChooseBoxProps) {
  const isChosen = useIsChosen(choice, id);
  function toggle({ nativeEvent }: ChangeEvent): void {
    choice.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  }
  return (
    <input
      type="checkbox"
      aria-label={`Choose ${name}`}
      className={`check-box ${className}`}
      checked={isChosen}
      onChange={toggle}
      // With Shift, browsers would also mark the text between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    />
  );
}
