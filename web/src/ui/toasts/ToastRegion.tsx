import { Toast } from "@base-ui/react/toast";
import { type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import {
  TOAST_DONE_MS,
  TOAST_ERROR_MS,
  TOAST_ERRORS_MAX,
  TOAST_TOGETHER_MS,
} from "../../rules/generated/constants.ts";
import { Button } from "../Button.tsx";
import { CopyByHand, useCopying } from "../CopyByHand.tsx";
import { type KeptLink, takeToasts, toastClosers, type Undo, waitingToasts } from "./toastQueue.ts";

/** The region around it announces: a region that comes together with its text is not heard. */
const NOT_LIVE = { "aria-live": undefined };

/** Belongs in a polite live region; errors go to `alerts`. */
export function ToastRegion({ alerts }: { alerts: RefObject<HTMLElement | null> }) {
  return (
    // No limit: a hidden toast could hold the only undo button.
    <Toast.Provider limit={Number.POSITIVE_INFINITY}>
      <Toast.Viewport
        ref={tellHeight}
        data-toasts
        {...NOT_LIVE}
        // It closes the toast, not the dialog below.
        onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
        // At the bottom, or at the top where the buttons are at the bottom: on phones, over a dialog (which makes room
        // by the measured height), over the terminal.
        className="fixed top-2 right-gutter left-gutter z-toast flex max-h-[60dvh] flex-col gap-2 overflow-y-auto sm:top-auto sm:bottom-16 sm:left-auto sm:w-96 [body:has([data-modal],[data-console])_&]:top-2 [body:has([data-modal],[data-console])_&]:bottom-auto"
      >
        <ToastList />
      </Toast.Viewport>
      <Alerts region={alerts} />
    </Toast.Provider>
  );
}

/** Announces the errors at once, each a single time. */
function Alerts({ region }: { region: RefObject<HTMLElement | null> }) {
  const errors = Toast.useToastManager().toasts.filter(({ type }) => type === "error");
  if (!region.current) return null;
  return createPortal(
    errors.map(({ id, title, description }) => (
      <div key={id}>
        <p>{title}</p>
        <p>{description}</p>
      </div>
    )),
    region.current,
  );
}

interface ToastData {
  undo?: Undo | undefined;
  link?: KeptLink | undefined;
}

const NO_TIMEOUT = 0;

interface ShownError {
  id: string;
  said: string;
  at: number;
}

function ToastList() {
  const { toasts, add, close } = Toast.useToastManager<ToastData>();
  const shown = useRef<{ success?: string | undefined; errors: readonly ShownError[] }>({
    errors: [],
  });

  useEffect(() => {
    /**
     * Shows one success and one error at most: a newer toast replaces an older one, except messages of one batch, and
     * errors with other words within TOAST_TOGETHER_MS. Toasts with a local undo or a link stay for their time.
     */
    function makeRoom({ isError, said }: { isError: boolean; said: string }, before?: string) {
      const { errors, success } = shown.current;
      const staysDone = isError && success !== before;
      const isFresh = ({ at, said: other }: ShownError) =>
        performance.now() - at < TOAST_TOGETHER_MS && other !== said;
      const fresh = errors
        .filter(isFresh)
        .slice(isError ? 1 - TOAST_ERRORS_MAX : -TOAST_ERRORS_MAX);
      for (const error of errors) if (!fresh.includes(error)) close(error.id);
      if (success !== undefined && !staysDone) close(success);
      shown.current = { errors: fresh, ...(staysDone && { success }) };
    }
    function showWaiting(): void {
      const before = shown.current.success;
      for (const message of takeToasts()) {
        const { title, description, isError = false, link, undo } = message;
        const said = `${title} ${description ?? ""}`;
        const hasOwnTime = link !== undefined || undo?.timeout !== undefined;
        makeRoom({ isError, said }, before);
        const id = add({
          title,
          description,
          // The library's clock stands still while the pointer is over it, or the window behind another.
          timeout: hasOwnTime ? NO_TIMEOUT : isError ? TOAST_ERROR_MS : TOAST_DONE_MS,
          data: { undo, link },
          ...(isError && { type: "error" }),
        });
        toastClosers.set(message, () => close(id));
        if (undo?.timeout !== undefined) setTimeout(close, undo.timeout, id);
        if (hasOwnTime) continue;
        if (isError) {
          const error = { id, said, at: performance.now() };
          shown.current.errors = [...shown.current.errors, error];
        } else shown.current.success = id;
      }
    }
    showWaiting();
    return waitingToasts.subscribe(showWaiting).unsubscribe;
  }, [add, close]);

  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // The alert speaks for it.
      {...(toast.type === "error" && { role: "alertdialog", "aria-live": "off" })}
      className={`flex flex-wrap items-start justify-between gap-4 border bg-ground p-4 ${
        toast.type === "error" ? "border-signal" : "border-ink"
      }`}
    >
      <div className="min-w-0 flex-[1_1_8rem]">
        <Toast.Title className={toast.type === "error" ? "text-signal" : ""} />
        <Toast.Description className="mt-1 text-dim" />
        {toast.data?.link && <LinkToKeep link={toast.data.link} />}
      </div>
      <span className="flex flex-none gap-2">
        {toast.data?.undo && (
          <Toast.Close
            aria-hidden={false}
            className="button button-outline"
            onClick={once(toast.data.undo)}
          >
            UNDO
          </Toast.Close>
        )}
        <Toast.Close aria-hidden={false} className="button">
          CLOSE
        </Toast.Close>
      </span>
    </Toast.Root>
  ));
}

const undone = new WeakSet<Undo>();

/** The toast closes a moment after the press, and a second press may fall into that moment. */
function once(undo: Undo): () => void {
  return () => {
    if (undone.has(undo)) return;
    undone.add(undo);
    undo.onUndo();
  };
}

/** Exposes the toasts' height to the style sheet (`--toasts`), for dialogs that make room. */
function tellHeight(region: HTMLElement | null) {
  if (!region || typeof ResizeObserver === "undefined") return;
  const root = document.documentElement;
  const observer = new ResizeObserver(() => {
    root.style.setProperty("--toasts", `${region.offsetHeight}px`);
  });
  observer.observe(region);
  return () => {
    observer.disconnect();
    root.style.removeProperty("--toasts");
  };
}

function LinkToKeep({ link: { href, label } }: { link: KeptLink }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, refused } = useCopying(() => setCopied(true));
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <a href={href} className="break-all text-link">
        {href}
      </a>
      <Button variant="outline" onClick={() => void copy(href)}>
        <span aria-live="polite">{isCopied ? "Copied" : "Copy Link"}</span>
      </Button>
      {refused && <CopyByHand refused={refused} label={label} what="The link" />}
    </div>
  );
}
