// The admin login's lock, kept in the browser session: a hint for the person in front of it. The server counts for
// itself, and the rules say what a count means.
import { useSyncExternalStore } from "react";
import { withRules } from "../../rules/rules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";
import { useWait } from "../../session/useWait.ts";

const OPEN = { locked: false, hint: false, wait_seconds: 0 };

/** When sign-ins were refused, in milliseconds. Anybody can write to their own browser. */
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
  // Draws again every second while the lock lasts, and so sees its end.
  useWait(lock.locked ? (lastFailure ?? 0) + lock.wait_seconds * 1_000 : undefined);

  return {
    isLocked: lock.locked,
    hasHint: lock.hint,
    /** One more sign-in that was refused. */
    countFailure(): void {
      failures.update((before) => [
        ...(withRules((rules) => rules.loginLockAfterFailure(before, Date.now())) ?? before),
      ]);
    },
    /** A sign-in succeeded. */
    clear: () => failures.clear(),
  };
}
