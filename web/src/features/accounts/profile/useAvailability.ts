// Whether a username is free, asked while it is typed.
import { useEffect, useState } from "react";
import { call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";

export type Availability = "unknown" | "asking" | "available" | "taken";

/** How long nothing must be typed before the server is asked. */
const PAUSE_MS = 350;

/** Courtesy: unknown for the own name, for one the rules refuse, and where the server does not say. */
export function useAvailability(typed: string, current: string): Availability {
  const [answer, setAnswer] = useState<{ name: string; isAvailable: boolean }>();
  const isWorthAsking =
    typed.toLowerCase() !== current.toLowerCase() &&
    withRules((rules) => rules.checkUsername(typed))?.problems === undefined;
  useEffect(() => {
    if (!isWorthAsking) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const answered = call("POST", "/api/profile/username-check", {
        body: { username: typed },
        signal: leaving.signal,
      });
      answered.then(
        ({ available }) => setAnswer({ name: typed, isAvailable: available }),
        // Limits and silence are no answer; saving will tell.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed, isWorthAsking]);
  if (!isWorthAsking) return "unknown";
  if (answer?.name !== typed) return "asking";
  return answer.isAvailable ? "available" : "taken";
}
