// The status line that says a read on show failed and is being tried again.
import { type QueryCache, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { apiError } from "../../api/client.ts";

function isAnyReadFailing(cache: QueryCache): boolean {
  return cache.getAll().some((query) => {
    const reason = query.state.fetchFailureReason ?? query.state.error;
    if (reason === null || !query.isActive()) return false;
    return apiError(reason).isTransient;
  });
}

/**
 * A live region that is always present, and speaks only while the connection is lost. `aria-live` is explicit, as
 * dialogs leave such elements visible.
 */
export function ConnectionLine() {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const isLost = useSyncExternalStore(
    subscribe,
    () => isAnyReadFailing(cache),
    () => false,
  );
  return (
    <div role="status" aria-live="polite" className="fixed inset-x-0 bottom-0 z-status">
      {isLost && (
        <p
          data-lost
          className="type-label flex h-11 items-center gap-3 border-signal border-t bg-ground px-gutter text-signal"
        >
          <span className="block-cursor blink" aria-hidden="true" />
          CONNECTION LOST. RETRYING.
        </p>
      )}
    </div>
  );
}
