// The live region that shows toasts.
import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { subscribeToToasts, takeToasts } from "./toastQueue.ts";

export function ToastRegion() {
  return (
    <Toast.Provider>
      <Toast.Portal>
        <Toast.Viewport
          // Below, where it is in nobody's way; above where the keys are below: over a dialog, over the terminal.
          className="fixed right-gutter bottom-16 left-gutter z-60 flex flex-col gap-2 sm:left-auto sm:w-96 [body:has([data-modal],[data-console])_&]:top-2 [body:has([data-modal],[data-console])_&]:bottom-auto"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts, add } = Toast.useToastManager();

  useEffect(() => {
    function showWaiting(): void {
      for (const { title, description, isError } of takeToasts()) {
        add({
          title,
          description,
          ...(isError && { type: "error" as const, priority: "high" as const }),
        });
      }
    }
    showWaiting();
    return subscribeToToasts(showWaiting);
  }, [add]);

  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // An error is read out by an alert of its own, so its box keeps silent; but it is no less there than the others.
      {...(toast.type === "error" && { "aria-hidden": false, "aria-live": "off" })}
      className={`flex items-start justify-between gap-4 border bg-ground p-4 ${
        toast.type === "error" ? "border-signal" : "border-ink"
      }`}
    >
      <div>
        <Toast.Title className={toast.type === "error" ? "text-signal" : ""} />
        <Toast.Description className="mt-1 text-dim" />
      </div>
      <Toast.Close aria-hidden={false} className="key type-label flex-none">
        CLOSE
      </Toast.Close>
    </Toast.Root>
  ));
}
