// Moves a row of a form up or down, and removes it.
import type { MouseEvent, ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";

interface RowButtonsProps {
  of: string;
  isFirst: boolean;
  isLast: boolean;
  /** `key` selects the pressed button in the row's new place. */
  onMove: (step: -1 | 1, key: string) => void;
  onRemove: () => void;
  className?: string;
}

const UP = "M5 9V1M1.5 4.5 5 1l3.5 3.5";
const DOWN = "M5 1v8M1.5 5.5 5 9l3.5-3.5";
const AWAY = "m1.5 1.5 7 7m0-7-7 7";

export function RowButtons({
  of,
  isFirst,
  isLast,
  onMove,
  onRemove,
  className = "",
}: RowButtonsProps) {
  return (
    <div className={`flex justify-end gap-1 ${className}`}>
      <RowButton
        name="up"
        label={`Move ${of} up`}
        isBusy={isFirst}
        onClick={() => onMove(-1, "[data-key=up]")}
      >
        <path d={UP} />
      </RowButton>
      <RowButton
        name="down"
        label={`Move ${of} down`}
        isBusy={isLast}
        onClick={() => onMove(1, "[data-key=down]")}
      >
        <path d={DOWN} />
      </RowButton>
      <RowButton
        name="remove"
        label={`Remove ${of}`}
        // The next row's button comes under the second click of a double click.
        onClick={({ detail }) => detail <= 1 && onRemove()}
      >
        <path d={AWAY} />
      </RowButton>
    </div>
  );
}

interface RowButtonProps {
  name: string;
  label: string;
  isBusy?: boolean;
  onClick: (event: MouseEvent) => void;
  children: ReactNode;
}

function RowButton({ name, label, isBusy, onClick, children }: RowButtonProps) {
  return (
    <Button
      data-key={name}
      aria-label={label}
      isBusy={isBusy}
      onClick={onClick}
      className="size-11 justify-center px-0 aria-disabled:text-dim"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 10 10"
        className="size-3"
        fill="none"
        stroke="currentColor"
      >
        {children}
      </svg>
    </Button>
  );
}
