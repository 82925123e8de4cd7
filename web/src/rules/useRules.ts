import { useEffect, useSyncExternalStore } from "react";
import { loadRules, type RulesState, rulesState } from "./rules.ts";

const subscribe = (changed: () => void) => rulesState.subscribe(changed).unsubscribe;

export function useRules(): RulesState {
  useEffect(() => void loadRules(), []);
  return useSyncExternalStore(subscribe, rulesState.get, () => "loading");
}
