// Whether a painted page is hydrated. Until then, everything that only a browser knows (its storage, the address's
// search, its clock) is left out, as it was while painting.
import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** False while painting and hydrating; true at once on a page rendered by the browser. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
