// The waits of the sign-up form and the resend, counted down by the rules.
import { useEffect } from "react";
import { withRules } from "../../../rules/rules.ts";
import { useRules } from "../../../rules/useRules.ts";
import { settleClock, useSignupState } from "../../../session/signupState.ts";
import { useClock } from "../../../ui/useClock.ts";

/** Seconds until each is possible; 0 if it is. */
export function useWaits(): { submitSeconds: number; resendSeconds: number } {
  const { cooldownUntil, resendUsedAt } = useSignupState();
  useRules();
  const waits = (at: number) =>
    withRules((rules) => ({
      submitSeconds: rules.remainingSeconds(cooldownUntil, at),
      resendSeconds: rules.resendWaitSeconds(resendUsedAt || undefined, at),
    })) ?? { submitSeconds: 0, resendSeconds: 0 };
  const atFirst = waits(Date.now());
  const now = useClock(atFirst.submitSeconds > 0 || atFirst.resendSeconds > 0);
  useEffect(() => settleClock(now), [now]);
  return waits(now);
}

/** Seconds as the buttons show them: `59s`, `14m 30s`, `2h 5m`. */
export function waitLabel(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
  return seconds < 100 ? `${seconds}s` : `${minutes}m ${seconds % 60}s`;
}
