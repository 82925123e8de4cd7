// What the browser itself remembers of the session, for people and programs that look and for the first paint. Nothing
// is decided by it: only the server knows.
import { useSyncExternalStore } from "react";
import { createBrowserStore } from "./browserStore.ts";

const verified = createBrowserStore("mfa_verified", isTrue, "tab");
const verifiedAt = createBrowserStore(
  "mfa_verified_timestamp",
  (found) => (typeof found === "number" ? found : 0),
  "tab",
);
const signedIn = createBrowserStore("deadwax.signed-in", isTrue);

/** Keeps, for this tab's life, that the second factor counts and since when; or clears both. */
export function setVerifiedHint(isVerified: boolean): void {
  if (!isVerified) {
    verified.clear();
    verifiedAt.clear();
  } else if (!verified.get()) {
    verified.update(() => true);
    verifiedAt.update(Date.now);
  }
}

/** Keeps that somebody is signed in in this browser, so that the next page need not show LOGIN until it has asked. */
export function setSignedInHint(isSignedIn: boolean): void {
  if (isSignedIn) signedIn.update(() => true);
  else signedIn.clear();
}

/** Whether the last answer in this browser was that somebody is signed in. A painted page knows nobody. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(signedIn.subscribe, signedIn.get, () => false);
}

function isTrue(found: unknown): boolean {
  return found === true;
}
