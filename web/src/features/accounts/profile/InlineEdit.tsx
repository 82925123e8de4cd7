// A field that is edited in place, with its buttons.
import type { FormEvent, ReactNode } from "react";
import { Button } from "../../../ui/Button.tsx";
import { ProblemsTogether } from "../../../ui/Field.tsx";
import { onEscape } from "../../../ui/onEscape.ts";

interface InlineEditProps {
  form: { onSubmit: (event: FormEvent) => void; isSending: boolean };
  onClose: () => void;
  children: ReactNode;
}

export function InlineEdit({ form: { onSubmit, isSending }, onClose, children }: InlineEditProps) {
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={onSubmit}
      onKeyDown={onEscape(onClose)}
    >
      <ProblemsTogether value={true}>{children}</ProblemsTogether>
      <div className="type-label flex flex-wrap gap-3">
        <Button type="submit" isBusy={isSending} variant="main">
          {isSending ? "Saving..." : "Save"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
