// Who is here, and the calls that change it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiError, call } from "../api/client.ts";
import { LOGIN_UNREACHABLE, SIGN_OUT_OWED } from "../rules/generated/constants.ts";
import { showToast } from "../ui/toasts/toastQueue.ts";
import { forgetOwedSignOut, sendOwedSignOut, sendSignOut } from "./owedSignOut.ts";
import { useSignedInHint } from "./sessionHints.ts";
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
import type { SessionView } from "./types.ts";

/** What `signIn` leads to: the second factor where the account asks for one. */
interface SignedIn {
  mfaRequired: boolean;
  isAdmin: boolean;
}

/**
 * The auth state of the page. Menus and guards follow `user` and `session`; `authStage` and `isAdmin` speak of the
 * admin area alone. While the check fails nobody is an admin, and nothing counts as verified; but that it could not be
 * asked is no answer, so what stands open is decided by `lastKnown`.
 */
export function useAuth() {
  const client = useQueryClient();
  const { data, failureCount, isError } = useQuery(sessionQuery);
  const wasSignedIn = useSignedInHint();
  const isFailing = failureCount > 0 || isError;
  const calls = useMemo(() => {
    /** Takes over a session that a call answered, here and in the other tabs. */
    function adopt(view: SessionView): void {
      if (view.user) forgetOwedSignOut();
      holdSession(client, view);
      tellTabs({ kind: "changed", view });
    }
    /** Forgets whoever is signed in by the session `left`, here and in the other tabs. */
    function leave(left: string | undefined): void {
      forgetSignup();
      holdNobody(client, left);
      tellTabs({ kind: "signed_out", left });
    }
    /** The live stream may tell of the session's end before the call answers: no news, neither here nor in the other tabs. */
    function expect(isExpected: boolean): void {
      expectEnd(client, isExpected);
      tellTabs({ kind: "ending", isExpected });
    }
    /**
     * Makes a call that signs somebody in. What the server has not heard of the session before goes first: the cookie of the new one
     * takes the place of its own. Throws `ApiError` where the server cannot be told, and what the call throws.
     */
    async function enter<Answer>(signIn: () => Promise<Answer>): Promise<Answer> {
      // A sign-out that is answered after it would take its cookie.
      await signedOut();
      await sendOwedSignOut();
      // It ends the session that this browser still has.
      expect(true);
      try {
        return await signIn();
      } finally {
        expect(false);
      }
    }
    return {
      adopt,
      enter,
      /** Asks the server for the session, its stage and its second factor again. */
      async checkAgain(): Promise<SessionView | undefined> {
        await client.cancelQueries({ queryKey: sessionQuery.queryKey });
        return client.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(() => {
          // Whoever waits for this answer goes on; the page keeps asking.
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
          return undefined;
        });
      },
      /** Notes that the second factor was right, until the session was asked for again. */
      noteFactorGiven: () => holdFactorGiven(client),
      /** Signs in with an e-mail address or a username. Throws `ApiError` when refused. */
      async signIn(identifier: string, password: string): Promise<SignedIn> {
        const view = await enter(() =>
          call("POST", "/api/auth/sign-in", { body: { identifier, password } }),
        );
        forgetSignup();
        adopt(view);
        return { mfaRequired: isFactorPending(view), isAdmin: view.is_admin };
      },
      /**
       * Signs out in every tab. Where the server cannot be told the page forgets the person all the same, says so, and tells it before
       * it asks for the session again.
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
        // Another tab may have asked in between, and found the session still standing.
        leave(left);
        expect(false);
        if (isOwed) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
      /** Deletes the account by this call, and every session goes with it. */
      async leaveForGood(deleteAccount: () => Promise<unknown>): Promise<void> {
        const left = heldSession(client)?.session?.id;
        expect(true);
        try {
          await deleteAccount();
          leave(left);
          forgetEnded(client);
        } finally {
          expect(false);
        }
      },
      /** The person whose session ended knows it; what waited for them to return may go. */
      forgetEnded: () => forgetEnded(client),
    };
  }, [client]);

  return {
    user: data?.user ?? null,
    session: data?.session ?? null,
    profile: data?.profile ?? null,
    isAdmin: !isFailing && data?.is_admin === true,
    /** True while the account's second factor is still to be given in this session. */
    mfaRequired: data !== undefined && isFactorPending(data),
    /** The second factor was right a moment ago, though the session could not be read anew yet. */
    isFactorGiven: data?.isFactorGiven === true,
    mfaVerified: !isFailing && data?.mfa_verified === true,
    /** The server has answered who is here. */
    isKnown: data !== undefined,
    /** Nothing is known yet, be it that the first check is under way or that it is tried again. */
    loading: data === undefined && !isError,
    /** The newest check could not be asked; it is tried again. */
    isFailing,
    /** Nothing is known yet, but the last page in this browser belonged to somebody signed in. */
    isExpected: data === undefined && !isFailing && wasSignedIn,
    /**
     * The admin area as the server last answered it, whatever became of the checks since. A page that stands open goes
     * by this, so that nothing typed is lost to a restart, a sleep or a cut line.
     */
    lastKnown: {
      isAdmin: data?.is_admin === true,
      authStage: data?.auth_stage ?? ("unauthenticated" as const),
      /** True while the admin area stays closed until its person has set up a second factor. */
      mfaSetupRequired: data?.mfa_setup_required === true,
    },
    authStage: isFailing || data === undefined ? ("unauthenticated" as const) : data.auth_stage,
    /** Whose session ended by itself or elsewhere while the page was open. */
    ended: data?.ended ?? null,
    ...calls,
  };
}
