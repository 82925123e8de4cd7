// The place of toasts. The code that shows them is fetched ahead by pages that may need it, or with the first toast.
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef, useState } from "react";
import { lazyCode } from "../../code/lazyCode.ts";
import { whenIdle } from "../whenIdle.ts";
import type { ToastRegion } from "./ToastRegion.tsx";
import { waitingToasts } from "./toastQueue.ts";

const region = lazyCode(() => import("./ToastRegion.tsx").then((module) => module.ToastRegion));

/** Fetches the code ahead, for toasts that are shown when nothing can be fetched any more. */
export const prepareToasts = region.prepare;

/** Fetches the code once the page is at rest, for a part of the page that uses toasts. */
export function useToastsAhead(): void {
  useEffect(() => whenIdle(prepareToasts), []);
}

export function Toasts() {
  const alerts = useRef<HTMLDivElement>(null);
  const [Region, setRegion] = useState<typeof ToastRegion>();
  const isNeeded = useSelector(waitingToasts, (waiting) => waiting.length > 0) && !Region;
  useEffect(
    () => (isNeeded ? region.whenLoaded((fetched) => setRegion(() => fetched)) : undefined),
    [isNeeded],
  );
  // The live regions exist before the first toast, so that it is announced.
  return (
    <>
      <div aria-live="polite">{Region && <Region alerts={alerts} />}</div>
      <div ref={alerts} aria-live="assertive" className="sr-only" />
    </>
  );
}
