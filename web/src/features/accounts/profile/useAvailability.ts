// Whether a username is free, checked while typing.
import { useEffect, useState } from "react";
import { call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";

export type Availability = "unknown" | "asking" | "available" | "taken";

/** The pause in typing before the server gets the name. */
const PAUSE_MS = 350;

/** Unknown for the present name, for one the rules refuse, and if the server does not say. */
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
        // Saving will tell.
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
