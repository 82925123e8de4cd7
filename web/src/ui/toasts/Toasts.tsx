// Where toasts appear. What shows them is loaded with the first one.
import { type ComponentType, useEffect, useState } from "react";
import { hasWaitingToasts, subscribeToToasts } from "./toastQueue.ts";

/** Fetches what shows toasts. A failed fetch is tried again at the next call, and the toasts wait until then. */
async function loadRegion(): Promise<ComponentType | undefined> {
  try {
    return (await import("./ToastRegion.tsx")).ToastRegion;
  } catch (error) {
    console.error("what shows toasts could not be loaded", error);
    return undefined;
  }
}

/** Fetches it ahead, for who will need it when nothing can be fetched any more. */
export function prepareToasts(): void {
  void loadRegion();
}

export function Toasts() {
  const [Region, setRegion] = useState<ComponentType>();
  useEffect(() => {
    const show = () => void loadRegion().then((region) => region && setRegion(() => region));
    if (hasWaitingToasts()) show();
    return subscribeToToasts(show);
  }, []);
  return Region ? <Region /> : null;
}
