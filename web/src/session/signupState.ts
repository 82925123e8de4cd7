// The sign-up page's memory over reloads, except the password. All tabs share it.
import { useSyncExternalStore } from "react";
import { createBrowserStore } from "./browserStore.ts";

const FRESH = {
  email: "",
  username: "",
  /** True from an accepted sign-up until it is confirmed or abandoned, or a person signs in or out. */
  success: false,
  /** True once the accepted sign-up was confirmed, for the pages that waited for it. */
  confirmed: false,
  /** When the form's wait ends; instants are milliseconds of the clock, 0 is never. */
  cooldownUntil: 0,
  resendUsedAt: 0,
  /** Submits within the rules' window. */
  attempts: 0,
  lastAttempt: 0,
};

export type SignupState = typeof FRESH;

const NO_PERSON = { email: "", username: "", success: false, confirmed: false, resendUsedAt: 0 };

const store = createBrowserStore("deadwax.signup", readState);

export function signupState(): SignupState {
  return store.get();
}

export function updateSignupState(changes: Partial<SignupState>): void {
  store.update((state) => ({ ...state, ...changes }));
}

/** Forgets the person who signed up. The waits stay. */
export function forgetSignup(): void {
  const { email, username, success, confirmed } = store.get();
  if (email || username || success || confirmed) updateSignupState(NO_PERSON);
}

/** Ends the wait of all tabs, which then show the confirmation. */
export function confirmSignup(): void {
  updateSignupState({ ...NO_PERSON, confirmed: true });
}

/** Clears everything, including the waits. */
export function resetSignupState(): void {
  store.clear();
}

export function useSignupState(): SignupState {
  return useSyncExternalStore(store.subscribe, store.get, () => FRESH);
}

/** Moves instants in the future back to now. They appear when the clock is set back, and would prolong the waits. */
export function settleClock(now: number): void {
  const { cooldownUntil, resendUsedAt, lastAttempt } = store.get();
  const ahead = lastAttempt - now;
  // A cooldown moves as far as its submit.
  if (ahead > 0) updateSignupState({ lastAttempt: now, cooldownUntil: cooldownUntil - ahead });
  if (resendUsedAt > now) updateSignupState({ resendUsedAt: now });
}

/** Parses the stored state; invalid parts are reset. */
function readState(found: unknown): SignupState {
  if (typeof found !== "object" || found === null) return FRESH;
  const parts = Object.entries(found).filter(
    ([name, part]) => name in FRESH && isLike(part, FRESH[name as keyof SignupState]),
  );
  return { ...FRESH, ...Object.fromEntries(parts) };
}

function isLike(part: unknown, example: unknown): boolean {
  if (typeof part !== typeof example) return false;
  return typeof part !== "number" || (Number.isSafeInteger(part) && part >= 0);
}
