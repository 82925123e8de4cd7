// The present session, and the calls that change it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiError, call } from "../api/client.ts";
import { readOnce } from "../api/readOnce.ts";
import { LOGIN_UNREACHABLE, SIGN_OUT_OWED } from "../rules/generated/constants.ts";
import { showToast } from "../ui/toasts/toastQueue.ts";
import { forgetOwedSignOut, sendOwedSignOut, sendSignOut } from "./owedSignOut.ts";
import { useSignedInHint } from "./sessionHints.ts";
import type { SessionView } from "./sessionQuery.ts";
import {
  expectEnd,
  forgetEnded,
  heldSession,
  holdFactorGiven,
  holdNobody,
  holdSession,
  isFactorPending,
  sessionQuery,
  signedOut,
  waitForSignOut,
} from "./sessionQuery.ts";
import { forgetSignup } from "./signupState.ts";
import { tellTabs } from "./tabs.ts";

interface SignedIn {
  mfaRequired: boolean;
  isAdmin: boolean;
}

/**
 * The auth state of the page. Menus and guards follow `user` and `session`; the admin area follows `lastKnown`, which a
 * failed check does not change, as the server refuses anyway. While a check fails, `isAdmin` and `mfaVerified` are false
 * and `authStage` is `unauthenticated`: they decide what is offered.
 */
export function useAuth() {
  const client = useQueryClient();
  const { data, failureCount, isError } = useQuery(sessionQuery);
  const wasSignedIn = useSignedInHint();
  const isFailing = failureCount > 0 || isError;
  const calls = useMemo(() => {
    /** Takes over a session that a call answered, in all tabs. */
    function adopt(view: SessionView): void {
      if (view.user) forgetOwedSignOut();
      holdSession(client, view);
      tellTabs({ kind: "changed", view });
    }
    /** Ends the session `left` in all tabs. */
    function leave(left: string | undefined): void {
      forgetSignup();
      holdNobody(client, left);
      tellTabs({ kind: "signed_out", left });
    }
    /** The live stream may report the session's end before the call answers: no tab shows it then. */
    function expect(isExpected: boolean): void {
      expectEnd(client, isExpected);
      tellTabs({ kind: "ending", isExpected });
    }
    /**
     * Makes a call that signs in. An owed sign-out goes first, as the new session's cookie replaces its cookie. Throws
     * `ApiError` if that fails, and what the call throws.
     */
    async function enter<Answer>(signIn: () => Promise<Answer>): Promise<Answer> {
      // A sign-out answered later would remove the new cookie.
      await signedOut();
      await sendOwedSignOut();
      // Signing in ends this browser's old session.
      expect(true);
      try {
        return await signIn();
      } finally {
        expect(false);
      }
    }
    async function checkAgain(): Promise<SessionView | undefined> {
      return (await readOnce(client, sessionQuery)).data;
    }
    return {
      adopt,
      enter,
      checkAgain,
      noteFactorGiven: () => holdFactorGiven(client),
      /** Signs in with an email address or a username. Throws `ApiError`. */
      async signIn(identifier: string, password: string): Promise<SignedIn> {
        const view = await enter(() =>
          call("POST", "/api/auth/sign-in", { body: { identifier, password } }),
        );
        forgetSignup();
        adopt(view);
        return { mfaRequired: isFactorPending(view), isAdmin: view.is_admin };
      },
      /**
       * Signs out in every tab. If the server cannot be reached, the page forgets the person all the same, says so, and
       * sends the sign-out before it reads the session again.
       */
      async signOut(): Promise<void> {
        const left = heldSession(client)?.session?.id;
        let isOwed = false;
        const answered = sendSignOut().catch((error: Error) => {
          console.error(`Signing out failed: ${error.message}`);
          isOwed = apiError(error).isTransient;
          showToast({
            title: LOGIN_UNREACHABLE,
            ...(isOwed && { description: SIGN_OUT_OWED }),
            isError: true,
          });
        });
        waitForSignOut(answered);
        expect(true);
        leave(left);
        await answered;
        // Another tab may have read the old session in between.
        leave(left);
        expect(false);
        if (isOwed) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
      /** Deletes the account, which ends all its sessions. */
      async leaveForGood(deleteAccount: () => Promise<unknown>): Promise<void> {
        const session = heldSession(client)?.session;
        const left = session?.id;
        // The stream may report the session's end during the call.
        const isPasswordGiven = Date.parse(session?.reauthenticated_until ?? "") > Date.now();
        expect(true);
        try {
          await deleteAccount().catch(async (error) => {
            // The answer may be lost, and the account gone. Without the password no account is deleted.
            const mayBeGone = apiError(error).isTransient && isPasswordGiven;
            const view = mayBeGone ? await checkAgain() : undefined;
            if (view?.user !== null) throw error;
          });
          leave(left);
          forgetEnded(client);
        } finally {
          expect(false);
        }
      },
      /** Forgets the ended session, and what waited for its person. */
      forgetEnded: () => forgetEnded(client),
    };
  }, [client]);

  return {
    user: data?.user ?? null,
    session: data?.session ?? null,
    profile: data?.profile ?? null,
    isAdmin: !isFailing && data?.is_admin === true,
    mfaRequired: data !== undefined && isFactorPending(data),
    /** True if the second factor was right but the session is not read again yet. */
    isFactorGiven: data?.isFactorGiven === true,
    mfaVerified: !isFailing && data?.mfa_verified === true,
    /** True once the session was read. */
    isKnown: data !== undefined,
    /** True until the session is known, whether the first check is pending or failing. */
    loading: data === undefined && !isError,
    /** True if the newest check failed; it is retried. */
    isFailing,
    /** True if nothing is known yet, but this browser last had a session. */
    isExpected: data === undefined && !isFailing && wasSignedIn,
    /**
     * The admin area as last answered, whatever the checks since. Open pages follow it, so that nothing typed is lost
     * to a restart, a sleep or a cut line.
     */
    lastKnown: {
      isAdmin: data?.is_admin === true,
      authStage: data?.auth_stage ?? ("unauthenticated" as const),
      /** True while the admin area is closed until its person sets up a second factor. */
      mfaSetupRequired: data?.mfa_setup_required === true,
    },
    authStage: isFailing || data === undefined ? ("unauthenticated" as const) : data.auth_stage,
    /** The person whose session ended by itself or elsewhere while the page was open. */
    ended: data?.ended ?? null,
    ...calls,
  };
}
