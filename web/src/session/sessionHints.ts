// Hints about the session in the browser, for inspection and the first paint. Nothing depends on them: only the server
// knows.
import { useSyncExternalStore } from "react";
import { createBrowserStore } from "./browserStore.ts";

const verified = createBrowserStore("mfa_verified", isTrue, "tab");
const verifiedAt = createBrowserStore(
  "mfa_verified_timestamp",
  (found) => (typeof found === "number" ? found : 0),
  "tab",
);
const signedIn = createBrowserStore("deadwax.signed-in", isTrue);

/** Records for this tab that the second factor counts, and since when; or clears both. */
export function setVerifiedHint(isVerified: boolean): void {
  if (!isVerified) {
    verified.clear();
    verifiedAt.clear();
  } else if (!verified.get()) {
    verified.update(() => true);
    verifiedAt.update(Date.now);
  }
}

/** Records that this browser has a session, so that the next page hides LOGIN until it has checked. */
export function setSignedInHint(isSignedIn: boolean): void {
  if (isSignedIn) signedIn.update(() => true);
  else signedIn.clear();
}

/** Whether this browser last had a session. Painted pages assume none. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(signedIn.subscribe, signedIn.get, () => false);
}

function isTrue(found: unknown): boolean {
  return found === true;
}
