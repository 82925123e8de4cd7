// The key that opens the history of a row: who saved what, and older versions to be saved again.
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { HistoryDialog, type HistoryOf } from "./HistoryDialog.tsx";

interface HistoryKeyProps extends HistoryOf {
  /** True while something typed is not saved: restoring would take it along. */
  hasUnsaved: boolean;
}

export function HistoryKey({ hasUnsaved, ...of }: HistoryKeyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`History of ${of.name}`} onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && <HistoryDialog {...of} hasUnsaved={hasUnsaved} onClose={() => setOpen(false)} />}
    </>
  );
}
