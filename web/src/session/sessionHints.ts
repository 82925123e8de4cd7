// What the browser itself remembers of the session, for people and programs that look and for the first paint. Nothing
// is decided by it: only the server knows.

const VERIFIED = "mfa_verified";
const VERIFIED_AT = "mfa_verified_timestamp";
const SIGNED_IN = "deadwax.signed-in";

/** Keeps, for this tab's life, that the second factor counts and since when; or clears both. */
export function setVerifiedHint(isVerified: boolean): void {
  attempt(() => {
    if (!isVerified) {
      sessionStorage.removeItem(VERIFIED);
      sessionStorage.removeItem(VERIFIED_AT);
    } else if (sessionStorage.getItem(VERIFIED) === null) {
      sessionStorage.setItem(VERIFIED, "true");
      sessionStorage.setItem(VERIFIED_AT, String(Date.now()));
    }
  });
}

/** Keeps that somebody is signed in in this browser, so that the next page need not show LOGIN until it has asked. */
export function setSignedInHint(isSignedIn: boolean): void {
  attempt(() => {
    if (isSignedIn) localStorage.setItem(SIGNED_IN, "true");
    else localStorage.removeItem(SIGNED_IN);
  });
}

/** Whether the last answer in this browser was that somebody is signed in. */
export function hasSignedInHint(): boolean {
  return attempt(() => localStorage.getItem(SIGNED_IN) !== null) ?? false;
}

/** A browser may refuse to store anything; then there are no marks. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
