// Follows the session while pages come and go: listens to other tabs, keeps it alive, and says when it has ended. Shows
// nothing itself.
import { useQueryClient } from "@tanstack/react-query";
import { useMatches, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { onSessionRefused } from "../../api/client.ts";
import { SESSION_ENDED } from "../../rules/generated/constants.ts";
import { dropChallenge } from "../../session/challenge.ts";
import { followTabs } from "../../session/tabs.ts";
import { useAuth } from "../../session/useAuth.ts";
import { prepareToasts } from "../../ui/toasts/Toasts.tsx";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { whenIdle } from "../../ui/whenIdle.ts";
import { useOpenDialog } from "./useDialog.ts";

/** What keeps the session is fetched again after this, where that failed. */
const KEEPER_RETRY_MS = 30_000;

export function SessionWatch() {
  const client = useQueryClient();
  const { user, checkAgain } = useAuth();
  const isSignedIn = user !== null;

  useEffect(() => followTabs(client), [client]);
  useEffect(() => onSessionRefused(() => void checkAgain()), [checkAgain]);
  useEffect(() => {
    if (!isSignedIn) return;
    let isLeft = false;
    let stop: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function keep(): Promise<void> {
      try {
        const { keepSession } = await import("../../session/keeper.ts");
        if (!isLeft) stop = keepSession(client);
      } catch (error) {
        console.error("what keeps the session could not be loaded", error);
        if (!isLeft) timer = setTimeout(keep, KEEPER_RETRY_MS);
      }
    }
    void keep();
    // Whoever is signed in hears of everything by toasts, also of what failed because nothing could be fetched.
    whenIdle(prepareToasts);
    return () => {
      isLeft = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, isSignedIn]);
  useLeftDialog();
  useEnded();
  useChallengeDropped(user?.id);
  return null;
}

/** A question for the password or a code belongs to who was asked, and to the page on which they wanted something. */
function useChallengeDropped(userId: string | undefined): void {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is dropped when one of them changes
  useEffect(() => dropChallenge, [userId, pathname]);
}

/** Whoever leaves the dialog in its second step before the factor was right, by the browser's Back, has not signed in. */
function useLeftDialog(): void {
  const { mfaRequired, isFactorGiven, signOut } = useAuth();
  const isOpen = useRouterState({ select: (state) => state.location.search.dialog === "login" });
  const before = useRef(isOpen);
  useEffect(() => {
    if (before.current && !isOpen && mfaRequired && !isFactorGiven) void signOut();
    before.current = isOpen;
  }, [isOpen, mfaRequired, isFactorGiven, signOut]);
}

/**
 * A session that ended by itself or elsewhere. A page of one's own stays as it was under the login dialog, with all
 * that was typed; a public page needs a word and nothing more.
 */
function useEnded(): void {
  const { ended, forgetEnded } = useAuth();
  const open = useOpenDialog("login");
  const requiresAuth = useMatches({
    select: (matches) => matches.at(-1)?.staticData.requiresAuth === true,
  });
  const isOpen = useRouterState({ select: (state) => state.location.search.dialog === "login" });
  const progress = useRef<"unheard" | "told" | "asked">("unheard");
  useEffect(() => {
    if (!ended) {
      progress.current = "unheard";
    } else if (!requiresAuth) {
      forgetEnded();
      showToast({ title: SESSION_ENDED, isError: true });
    } else if (progress.current === "unheard") {
      progress.current = "told";
      open();
    } else if (isOpen) {
      progress.current = "asked";
    } else if (progress.current === "asked") {
      // They closed it: the page is given up.
      forgetEnded();
    }
  }, [ended, requiresAuth, isOpen, forgetEnded, open]);
}
