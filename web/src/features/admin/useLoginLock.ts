// The admin login's lock, kept in the browser session: a hint for the person in front of it. The server counts for
// itself, and the rules say what a count means.
import { useState } from "react";
import { withRules } from "../../rules/rules.ts";
import { useWait } from "../../session/useWait.ts";

const KEY = "deadwax.admin-login-failures";

const OPEN = { locked: false, hint: false, wait_seconds: 0 };

export function useLoginLock() {
  const [failedAt, setFailedAt] = useState(read);
  const lastFailure = failedAt.at(-1);
  const judged = withRules((rules) => rules.loginLock(failedAt, Date.now())) ?? OPEN;
  // Draws again every second while the lock lasts, and so sees its end.
  useWait(judged.locked ? (lastFailure ?? 0) + judged.wait_seconds * 1_000 : undefined);

  function keep(failures: number[]): void {
    setFailedAt(failures);
    write(failures);
  }

  return {
    isLocked: judged.locked,
    hasHint: judged.hint,
    /** One more sign-in that was refused. */
    countFailure(): void {
      const after = withRules((rules) => rules.loginLockAfterFailure(read(), Date.now()));
      if (after) keep([...after]);
    },
    /** A sign-in succeeded. */
    clear: () => keep([]),
  };
}

/** Whatever stands there: anybody can write to their own browser. */
function read(): number[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((at) => typeof at === "number") : [];
  } catch {
    return [];
  }
}

function write(failures: number[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(failures));
  } catch {
    // A browser that stores nothing counts until the page is left.
  }
}
