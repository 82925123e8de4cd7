// Where toasts appear. What shows them is loaded ahead by whoever may need it, or with the first one.
import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "../whenIdle.ts";
import { hasWaitingToasts, subscribeToToasts } from "./toastQueue.ts";

/** While toasts wait for what shows them, its fetch is tried again after this. */
const RETRY_MS = 5_000;

/** Fetches what shows toasts; undefined where that failed. */
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

/** Fetches it ahead once the page is at rest, for a part of the page that speaks by toasts. */
export function useToastsAhead(): void {
  useEffect(() => whenIdle(prepareToasts), []);
}

export function Toasts() {
  const [Region, setRegion] = useState<ComponentType>();
  useEffect(() => {
    if (Region) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    async function show(): Promise<void> {
      clearTimeout(timer);
      const region = await loadRegion();
      if (isLeft) return;
      if (region) setRegion(() => region);
      else timer = setTimeout(show, RETRY_MS);
    }
    if (hasWaitingToasts()) void show();
    const unsubscribe = subscribeToToasts({
      added: () => void show(),
      withdrawn: () => undefined,
    });
    return () => {
      isLeft = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [Region]);
  return Region ? <Region /> : null;
}
