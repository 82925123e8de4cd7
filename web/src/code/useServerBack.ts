import { useEffect, useEffectEvent } from "react";
import { doesServerAnswer } from "./fetchCode.ts";

const RETRY_MS = 3_000;

export function useServerBack(isAway: boolean, onBack: () => void): void {
  const comeBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!isAway) return;
    const left = new AbortController();
    void untilServerAnswers(left.signal).then((answers) => {
      if (answers) comeBack();
    });
    return () => left.abort();
  }, [isAway]);
}

async function untilServerAnswers(left: AbortSignal): Promise<boolean> {
  do await pause(RETRY_MS, left);
  while (!left.aborted && !(await doesServerAnswer()));
  return !left.aborted;
}

/** Waits for `ms`, or until the browser is online again or the wait is aborted. */
function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      left.removeEventListener("abort", done);
      resolve();
    }
    window.addEventListener("online", done);
    left.addEventListener("abort", done);
  });
}
