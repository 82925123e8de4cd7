// Whether a username is free, asked while it is typed.
import { useEffect, useState } from "react";
import { call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";

export type Availability = "unknown" | "asking" | "available" | "taken";

/** How long nothing must be typed before the server is asked. */
const PAUSE_MS = 350;

/** Courtesy: unknown for the own name, for one the rules refuse, and where the server does not say. */
export function useAvailability(typed: string, current: string): Availability {
  const [answer, setAnswer] = useState<{ name: string; says: Availability }>();
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
        ({ available }) => setAnswer({ name: typed, says: available ? "available" : "taken" }),
        // Limits and silence do not say it; saving will tell.
        () => leaving.signal.aborted || setAnswer({ name: typed, says: "unknown" }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed, isWorthAsking]);
  if (!isWorthAsking) return "unknown";
  return answer?.name === typed ? answer.says : "asking";
}
