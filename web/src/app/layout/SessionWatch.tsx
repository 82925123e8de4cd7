// Follows the session across pages: listens to other tabs, keeps it alive, and says when it has ended. Renders nothing.
import { useQueryClient } from "@tanstack/react-query";
import { useMatches, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { onSessionRefused } from "../../api/client.ts";
import { lazyCode } from "../../code/lazyCode.ts";
import { SESSION_ENDED } from "../../rules/generated/constants.ts";
import { dropChallenge } from "../../session/challenge.ts";
import { followTabs } from "../../session/tabs.ts";
import { useAuth } from "../../session/useAuth.ts";
import { prepareToasts } from "../../ui/toasts/Toasts.tsx";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { whenIdle } from "../../ui/whenIdle.ts";
import { useOpenDialog } from "./useDialog.ts";

const keeper = lazyCode(() => import("../../session/keeper.ts"), { retryMs: 30_000 });

export function SessionWatch() {
  const client = useQueryClient();
  const { user, checkAgain } = useAuth();
  const isSignedIn = user !== null;

  useEffect(() => followTabs(client), [client]);
  useEffect(() => onSessionRefused(() => void checkAgain()), [checkAgain]);
  useEffect(() => {
    if (!isSignedIn) return;
    // Signed-in people get toasts also about failures that came because nothing could be fetched.
    whenIdle(prepareToasts);
    return keeper.whenLoaded(({ keepSession }) => keepSession(client));
  }, [client, isSignedIn]);
  useLeftDialog();
  useEnded();
  useChallengeDropped(user?.id);
  return null;
}

/** Drops a challenge when its person or page has changed. */
function useChallengeDropped(userId: string | undefined): void {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is dropped when one of them changes
  useEffect(() => dropChallenge, [userId, pathname]);
}

/**
 * Leaving the dialog's second step by the browser's Back signs out, unless the factor was right. The admin login shows
 * that step too.
 */
function useLeftDialog(): void {
  const { mfaRequired, isFactorGiven, lastKnown, signOut } = useAuth();
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const isOpen = search.dialog === "login";
  const goesOn = isFactorGiven || (lastKnown.isAdmin && pathname === "/admin/login");
  const before = useRef(isOpen);
  useEffect(() => {
    if (before.current && !isOpen && mfaRequired && !goesOn) void signOut();
    before.current = isOpen;
  }, [isOpen, mfaRequired, goesOn, signOut]);
}

/**
 * A session that ended by itself or elsewhere. A personal page stays under the login dialog, with all that was typed;
 * on a public page a toast is enough.
 */
function useEnded(): void {
  const { user, ended, isFactorGiven, forgetEnded } = useAuth();
  const isSignedIn = user !== null;
  const open = useOpenDialog("login");
  const requiresAuth = useMatches({
    select: (matches) => matches.at(-1)?.staticData.requiresAuth === true,
  });
  const isOpen = useRouterState({ select: (state) => state.location.search.dialog === "login" });
  const progress = useRef<"idle" | "opening" | "open">("idle");
  useEffect(() => {
    if (!ended) {
      progress.current = "idle";
    } else if (!requiresAuth) {
      forgetEnded();
      if (!isSignedIn) showToast({ title: SESSION_ENDED, isError: true });
    } else if (progress.current === "idle") {
      progress.current = "opening";
      open();
    } else if (isOpen) {
      progress.current = "open";
    } else if (progress.current === "open" && !isFactorGiven) {
      // They closed it: the page is given up. After the right code they are back with the next check.
      forgetEnded();
    }
  }, [ended, isSignedIn, isFactorGiven, requiresAuth, isOpen, forgetEnded, open]);
}
