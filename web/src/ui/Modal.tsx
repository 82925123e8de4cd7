import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useRef, useState } from "react";
import { focusableHeading } from "./takeFocus.ts";

interface ModalProps {
  title: string;
  onClose: () => void;
  isWide?: boolean;
  /** As wide as the window, up to a bound. */
  isFull?: boolean;
  /** Where the focus returns to; what has it as the dialog opens, if left out. */
  opener?: Element | null | undefined;
  children: ReactNode;
}

export function Modal({
  title,
  onClose,
  isWide = false,
  isFull = false,
  opener: given,
  children,
}: ModalProps) {
  const body = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => given ?? document.activeElement);
  return (
    <Dialog.Root
      open
      // A slip beside it would lose input: only Escape and the button close it.
      disablePointerDismissal
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Dialog.Portal>
        {/* Also over the dialog that opened this one. */}
        <Dialog.Backdrop forceRender className="fixed inset-0 z-dialog bg-ground/85" />
        <Dialog.Viewport className="fixed inset-0 z-dialog grid grid-cols-[minmax(0,1fr)] scroll-py-24 overflow-y-auto overscroll-contain p-gutter pt-[calc(var(--gutter)+var(--toasts,0px))]">
          <Dialog.Popup
            data-modal
            // On touch screens the keyboard would cover the content.
            initialFocus={() =>
              window.matchMedia("(pointer: coarse)").matches || firstField(body.current)
            }
            finalFocus={() => returnTo(opener)}
            // Not in the middle: what changes its height would move what stands above.
            className={`mx-auto mb-auto flex w-full flex-col border border-ink bg-ground outline-offset-4 sm:mt-[8dvh] ${
              isFull ? "max-w-[90rem]" : isWide ? "max-w-[31rem] md:max-w-[58rem]" : "max-w-[31rem]"
            }`}
          >
            <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-hairline border-b p-gutter">
              <Dialog.Title className="type-heading min-w-0 flex-[1_1_5.5em]">{title}</Dialog.Title>
              <Dialog.Close className="button flex-none">CLOSE</Dialog.Close>
            </header>
            <div ref={body}>{children}</div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const DIALOGS = '[role="dialog"], [role="alertdialog"]';

/** The element to focus after closing; none if something else has the focus, such as another page's heading. */
function returnTo(opener: Element | null): HTMLElement | false | null {
  const { activeElement, body } = document;
  if (activeElement && activeElement !== body && !activeElement.closest(DIALOGS)) return false;
  // The opener may be gone, as the login button is after signing in.
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== body;
  return isThere ? opener : focusableHeading(document);
}

/** Not a switch: a slip of the space bar would change it. */
function firstField(body: HTMLElement | null): HTMLElement | true {
  return body?.querySelector<HTMLElement>('input:not([hidden], [role="switch"])') ?? true;
}
