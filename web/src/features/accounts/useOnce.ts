import { useEffect, useRef, useState } from "react";

export type Outcome<Value> =
  | { at: "pending" }
  | { at: "done"; value: Value }
  | { at: "failed"; error: unknown };

/** Makes a call when the page opens, and only once: what it spends can be spent only once. */
export function useOnce<Value>(call: () => Promise<Value>): Outcome<Value> {
  const [outcome, setOutcome] = useState<Outcome<Value>>({ at: "pending" });
  const first = useRef(call);
  const made = useRef<Promise<Value>>(undefined);
  useEffect(() => {
    let isShown = true;
    made.current ??= first.current();
    made.current.then(
      (value) => isShown && setOutcome({ at: "done", value }),
      (error: unknown) => isShown && setOutcome({ at: "failed", error }),
    );
    return () => {
      isShown = false;
    };
  }, []);
  return outcome;
}
