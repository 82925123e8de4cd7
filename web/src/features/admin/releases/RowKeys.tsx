// The keys of a row: up, down, away.
import type { ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";

interface RowKeysProps {
  /** What the row is called, with its number. */
  of: string;
  isFirst: boolean;
  isLast: boolean;
  /** Hears by how many places, and by what the key is found again at the new one. */
  onMove: (step: -1 | 1, key: string) => void;
  onRemove: () => void;
}

const UP = "M5 9V1M1.5 4.5 5 1l3.5 3.5";
const DOWN = "M5 1v8M1.5 5.5 5 9l3.5-3.5";
const AWAY = "m1.5 1.5 7 7m0-7-7 7";

export function RowKeys({ of, isFirst, isLast, onMove, onRemove }: RowKeysProps) {
  return (
    <div className="col-span-2 col-start-2 flex justify-end gap-1 sm:col-span-1 sm:col-start-3">
      <Key
        name="up"
        label={`Move ${of} up`}
        isBusy={isFirst}
        onClick={() => onMove(-1, "[data-key=up]")}
      >
        <path d={UP} />
      </Key>
      <Key
        name="down"
        label={`Move ${of} down`}
        isBusy={isLast}
        onClick={() => onMove(1, "[data-key=down]")}
      >
        <path d={DOWN} />
      </Key>
      <Key name="remove" label={`Remove ${of}`} onClick={onRemove}>
        <path d={AWAY} />
      </Key>
    </div>
  );
}

interface KeyProps {
  name: string;
  label: string;
  isBusy?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Key({ name, label, isBusy, onClick, children }: KeyProps) {
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
