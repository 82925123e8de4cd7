// The rules for a page that needs them: fetched when it opens, and the page drawn again once they are there.
import { useEffect, useState } from "react";
import { loadRules } from "./rules.ts";

/** Whether the rules are there, on their way, or out of reach. */
export type RulesState = "loading" | "ready" | "absent";

export function useRules(): RulesState {
  const [state, setState] = useState<RulesState>("loading");
  useEffect(() => {
    let isShown = true;
    void loadRules().then((isReady) => {
      if (isShown) setState(isReady ? "ready" : "absent");
    });
    return () => {
      isShown = false;
    };
  }, []);
  return state;
}
