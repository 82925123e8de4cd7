import { useId } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";

interface TableFileProps {
  label: string;
  accept: string;
  hint: string;
  file: File | undefined;
  isBusy: boolean;
  onTake: (file: File) => void;
}

/** Names the chosen file itself, because browsers clear their file field when the picker is cancelled. */
export function TableFile({ label, accept, hint, file, isBusy, onTake }: TableFileProps) {
  const { open, picker } = useFilePicker(
    { "aria-label": label, accept, disabled: isBusy },
    ([chosen]) => chosen && onTake(chosen),
  );
  const hintId = useId();
  return (
    <div className="flex flex-col gap-2">
      <p className="type-label uppercase">{label}</p>
      {picker}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button isBusy={isBusy} aria-describedby={hintId} onClick={open}>
          {file ? "Choose Another File" : "Choose File"}
        </Button>
        <span className={`min-w-0 [overflow-wrap:anywhere] ${file ? "" : "text-dim"}`}>
          {file?.name ?? "No file chosen"}
        </span>
      </div>
      <p id={hintId} className="text-dim">
        {hint}
      </p>
    </div>
  );
}
