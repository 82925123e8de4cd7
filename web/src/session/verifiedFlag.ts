// That the second factor was given, as this browser tab remembers it. It is told to people and programs that look;
// nothing is decided by it.

const FLAG = "mfa_verified";
const TIMESTAMP = "mfa_verified_timestamp";

/** Keeps the flag and, from its first setting on, when that was; or clears both. */
export function keepVerifiedFlag(isVerified: boolean): void {
  try {
    if (!isVerified) {
      sessionStorage.removeItem(FLAG);
      sessionStorage.removeItem(TIMESTAMP);
    } else if (sessionStorage.getItem(FLAG) === null) {
      sessionStorage.setItem(FLAG, "true");
      sessionStorage.setItem(TIMESTAMP, String(Date.now()));
    }
  } catch {
    // A browser that stores nothing has nothing to clear either.
  }
}
