import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef } from "react";
import { Button } from "./Button.tsx";

interface ConfirmDialogProps {
  title: ReactNode;
  children: ReactNode;
  confirm: ReactNode;
  onConfirm: () => void;
  /** True while it cannot be confirmed yet. */
  isBusy?: boolean;
  cancel: string;
  onCancel: () => void;
  /** True if cancelling is the better answer: its button is the first and main one. */
  isCancelAdvised?: boolean;
}

export function ConfirmDialog({
  title,
  children,
  confirm,
  onConfirm,
  isBusy,
  cancel,
  onCancel,
  isCancelAdvised = false,
}: ConfirmDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  const confirmButton = (
    <Button
      variant="destroy"
      className="tabular-nums"
      isBusy={isBusy}
      // The second press of a double click was meant for the button that asked.
      onClick={({ detail }) => detail <= 1 && onConfirm()}
    >
      {confirm}
    </Button>
  );
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-dialog bg-ground/85" />
        <AlertDialog.Viewport className="fixed inset-0 z-dialog grid grid-cols-[minmax(0,1fr)] overflow-y-auto p-gutter">
          <AlertDialog.Popup
            data-modal
            // A second Enter was meant for the button that asked.
            initialFocus={cancelButton}
            className="m-auto flex w-full max-w-[31rem] flex-col gap-5 border border-signal bg-ground p-gutter"
          >
            <AlertDialog.Title className="type-title">{title}</AlertDialog.Title>
            <AlertDialog.Description>{children}</AlertDialog.Description>
            <div className="type-label flex flex-wrap gap-3">
              {!isCancelAdvised && confirmButton}
              <AlertDialog.Close
                ref={cancelButton}
                render={<Button variant={isCancelAdvised ? "main" : undefined} />}
              >
                {cancel}
              </AlertDialog.Close>
              {isCancelAdvised && confirmButton}
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
