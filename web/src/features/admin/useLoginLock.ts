// The admin sign-in's lock, kept for the browser tab. It is only a hint: the server counts for itself.
import { useSyncExternalStore } from "react";
import { withRules } from "../../rules/rules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";
import { useWait } from "../../session/useWait.ts";

const OPEN = { locked: false, hint: false, wait_seconds: 0 };

/** The times of refused sign-ins, in milliseconds. */
const failures = createBrowserStore(
  "deadwax.admin-login-failures",
  (found) =>
    Array.isArray(found) ? found.filter((at): at is number => typeof at === "number") : [],
  "tab",
);

export function useLoginLock() {
  const failedAt = useSyncExternalStore(failures.subscribe, failures.get);
  const lastFailure = failedAt.at(-1);
  const lock = withRules((rules) => rules.loginLock(failedAt, Date.now())) ?? OPEN;
  // Renders every second while the lock lasts, to notice its end.
  useWait(lock.locked ? (lastFailure ?? 0) + lock.wait_seconds * 1_000 : undefined);

  return {
    isLocked: lock.locked,
    hasHint: lock.hint,
    countFailure(): void {
      failures.update((before) => [
        ...(withRules((rules) => rules.loginLockAfterFailure(before, Date.now())) ?? before),
      ]);
    },
    clear: () => failures.clear(),
  };
}
