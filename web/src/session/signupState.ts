// What /signup remembers over a reload: everything but the password. All tabs share it.
import { useCallback, useSyncExternalStore } from "react";
import { createBrowserStore } from "./browserStore.ts";

export interface SignupState {
  email: string;
  username: string;
  /** True from an accepted sign-up until it is confirmed, given up, or somebody signs in or out. */
  success: boolean;
  /** Until when the form waits; instants are milliseconds of the clock, 0 is never. */
  cooldownUntil: number;
  /** When the confirmation was last sent again. */
  resendUsedAt: number;
  /** Submits sent to the server, in the window the rules count by. */
  attempts: number;
  /** When the last of them was sent. */
  lastAttempt: number;
}

const FRESH: SignupState = {
  email: "",
  username: "",
  success: false,
  cooldownUntil: 0,
  resendUsedAt: 0,
  attempts: 0,
  lastAttempt: 0,
};

const store = createBrowserStore("deadwax.signup", readState);

/** The state as this browser has it now. */
export function signupState(): SignupState {
  return store.get();
}

/** Changes parts of the state; the others stay as the newest writer left them. */
export function updateSignupState(changes: Partial<SignupState>): void {
  store.update((state) => ({ ...state, ...changes }));
}

/** Forgets who signed up: it is over for them, or somebody else may come next. The waits stay. */
export function forgetSignup(): void {
  const { email, username, success } = store.get();
  if (!email && !username && !success) return;
  updateSignupState({ email: "", username: "", success: false, resendUsedAt: 0 });
}

/** Clears everything, the waits too. */
export function resetSignupState(): void {
  store.clear();
}

/** The state, drawn again when this tab or another one changes it. */
export function useSignupState(): SignupState {
  const subscribe = useCallback((changed: () => void) => store.subscribe(changed), []);
  return useSyncExternalStore(subscribe, store.get, () => FRESH);
}

/**
 * Brings instants that lie ahead of the clock back to it. That happens when the clock is set back; without this the
 * waits would last as long as the clock was wrong.
 */
export function settleClock(now: number): void {
  const { cooldownUntil, resendUsedAt, lastAttempt } = store.get();
  const ahead = lastAttempt - now;
  // A cooldown follows a submit, so it moves as far as the submit does.
  if (ahead > 0) updateSignupState({ lastAttempt: now, cooldownUntil: cooldownUntil - ahead });
  if (resendUsedAt > now) updateSignupState({ resendUsedAt: now });
}

/** Whatever the browser held, as a state; parts that make no sense are as at the beginning. */
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
