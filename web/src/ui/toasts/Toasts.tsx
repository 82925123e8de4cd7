// Where toasts appear. What shows them is loaded with the first one.
import { lazy, Suspense, useEffect, useState } from "react";
import { hasWaitingToasts, subscribeToToasts } from "./toastQueue.ts";

const ToastRegion = lazy(() =>
  import("./ToastRegion.tsx").then((module) => ({ default: module.ToastRegion })),
);

export function Toasts() {
  const [isNeeded, setNeeded] = useState(hasWaitingToasts);
  useEffect(() => subscribeToToasts(() => setNeeded(true)), []);
  return isNeeded ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}
