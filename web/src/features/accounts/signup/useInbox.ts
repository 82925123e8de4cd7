// The state of this browser's sign-up; the page waits for the confirmation, wherever the link is opened.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../../../api/client.ts";
import { SIGN_UP_LOOK_MS } from "../../../rules/generated/constants.ts";
import { forgetSignup, signupState, useSignupState } from "../../../session/signupState.ts";
import { useAuth } from "../../../session/useAuth.ts";

const SIGN_UP_URL = "/api/auth/sign-up";

export type Inbox = "none" | "waiting" | "confirmed";

/** `isFresh` if the page has just changed to this state. */
export function useInbox(): { inbox: Inbox; isFresh: boolean } {
  const { success, email, lastAttempt } = useSignupState();
  const { user } = useAuth();
  // A state left by another tab or an earlier visit is not fresh. Read from the browser itself, as a painted page begins
  // without it.
  const [wasDone] = useState(() => signupState().success);
  const [wasWaiting, setWasWaiting] = useState(wasDone);
  const [isConfirmed, setConfirmed] = useState(false);
  if (success && !wasWaiting) setWasWaiting(true);

  const { data } = useQuery({
    queryKey: [SIGN_UP_URL, lastAttempt, email],
    queryFn: ({ signal }) => call("GET", SIGN_UP_URL, { signal }),
    enabled: success,
    staleTime: 0,
    refetchInterval: SIGN_UP_LOOK_MS,
  });
  const status = data?.status;
  useEffect(() => {
    if (status === "confirmed") setConfirmed(true);
    if (status === "confirmed" || status === "none") forgetSignup();
  }, [status]);

  if (success) return { inbox: "waiting", isFresh: !wasDone };
  // Confirmed elsewhere, or in another tab, which signed this one in.
  const isOver = isConfirmed || (wasWaiting && user !== null);
  return isOver ? { inbox: "confirmed", isFresh: false } : { inbox: "none", isFresh: wasWaiting };
}
