// Whether a page that came painted has become the app. What only a browser knows (its storage, the address's search, its
// clock) is left out until then, as the page was painted without it.
import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** False while a page is painted and while it is taken over; true at once on a page that the browser itself renders. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
