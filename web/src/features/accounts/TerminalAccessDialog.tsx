// The dialog behind LOGIN.
import { Dialog } from "@base-ui/react/dialog";

export function TerminalAccessDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ground/85" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-50 flex w-[min(30rem,calc(100vw-2*var(--gutter)))] -translate-x-1/2 -translate-y-1/2 flex-col gap-6 border border-ink bg-ground p-gutter">
          <Dialog.Title className="type-heading">TERMINAL ACCESS</Dialog.Title>
          <Dialog.Description className="type-lead flex items-baseline gap-3">
            Access opens soon.
            <span aria-hidden="true" className="block-cursor blink" />
          </Dialog.Description>
          <Dialog.Close className="key type-label self-start border-ink hover:bg-ink hover:text-ground">
            CLOSE
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
