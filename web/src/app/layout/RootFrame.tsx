import { type QueryCache, useQueryClient } from "@tanstack/react-query";
import { Outlet, useHydrated, useMatches, useRouter, useRouterState } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { apiError } from "../../api/client.ts";
import { LazyDialog } from "../../code/LazyDialog.tsx";
import { MaintenanceGate } from "../../features/content/MaintenanceGate.tsx";
import { ChallengeHost } from "../../session/ChallengeHost.tsx";
import { useAuth } from "../../session/useAuth.ts";
import { Arrow } from "../../ui/Arrow.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import { focusableHeading } from "../../ui/takeFocus.ts";
import { Toasts } from "../../ui/toasts/Toasts.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { Footer } from "./Footer.tsx";
import { RunOutStrip } from "./RunOut.tsx";
import { SessionWatch } from "./SessionWatch.tsx";
import { TopNav } from "./TopNav.tsx";
import { DIALOGS, type DialogName, useCloseDialog } from "./useDialog.ts";

export function RootFrame() {
  const main = useRef<HTMLElement>(null);
  const dialog = useDialogHere();
  const about = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  const closeDialog = useCloseDialog();
  useArrival(main);

  const page = (
    <main
      ref={main}
      id={about.hasOwnContent ? undefined : "content"}
      tabIndex={-1}
      // A console fills the window below the navigation, over a phone's keyboard too.
      className="flex flex-1 flex-col has-[[data-console]]:h-[calc(100dvh-5.5rem-var(--below,0rem))] has-[[data-console]]:min-h-56 [@media(height>=30rem)]:has-[[data-console]]:min-h-[26rem] has-[[data-console]]:flex-none"
    >
      <MaintenanceGate pageKey={about.maintenanceKey}>
        <Outlet />
      </MaintenanceGate>
    </main>
  );
  return (
    // Room for the connection line, which must not cover the end of the page or the console.
    <div className="flex min-h-dvh flex-col has-[[data-lost]]:pb-(--below) has-[[data-lost]]:[--below:2.75rem]">
      <a
        href="#content"
        className="button fixed top-2 left-2 z-skip -translate-y-20 bg-ground focus:translate-y-0"
      >
        SKIP TO CONTENT
      </a>
      {about.title !== undefined && <RouteTitle name={about.title} />}
      {about.hideChrome ? (
        page
      ) : (
        <>
          <TopNav />
          <RunOutStrip />
          {page}
          <Footer />
          <AdminPanelButton />
        </>
      )}
      {dialog && (
        <LazyDialog
          key={dialog}
          code={DIALOGS[dialog]}
          props={{ onClose: closeDialog }}
          onClose={closeDialog}
        />
      )}
      {/* Not needed to paint a page. */}
      {!import.meta.env.SSR && (
        <>
          <SessionWatch />
          <ChallengeHost />
        </>
      )}
      <ConnectionLine />
      <Toasts />
    </div>
  );
}

/** The dialog in the address; pages are painted without it. */
function useDialogHere(): DialogName | undefined {
  const isHydrated = useHydrated();
  const dialog = useRouterState({ select: (state) => state.location.search.dialog });
  // An address has also what `validateSearch` leaves out.
  return isHydrated && dialog && Object.hasOwn(DIALOGS, dialog) ? dialog : undefined;
}

function RouteTitle({ name }: { name: string }) {
  useDocumentTitle(name);
  return null;
}

/**
 * After a change of page: scrolls to its top and focuses its heading, so that screen readers announce it, or the field
 * that it begins with. If the heading still waits for data, the page gets the focus, and then the heading, unless the
 * reader has moved on.
 */
function useArrival(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const late = new MutationObserver(() => {
      const page = main.current;
      if (!page || document.activeElement !== page || focusHeading(page)) late.disconnect();
    });
    // Not at the change of address, which precedes the page: while the page's code is fetched, the old page would jump
    // and keep the focus.
    const unsubscribe = router.subscribe("onRendered", ({ fromLocation, toLocation }) => {
      const before = fromLocation?.pathname ?? toLocation.pathname;
      if (before === toLocation.pathname || before === toLocation.state.movedFrom) return;
      late.disconnect();
      window.scrollTo(0, 0);
      const page = main.current;
      // Some fields have taken the focus already.
      if (!page || page.contains(document.activeElement?.closest("input, textarea") ?? null))
        return;
      const field = page.querySelector<HTMLElement>("[data-first-field]:not(:disabled)");
      if (field) return field.focus({ preventScroll: true });
      if (focusHeading(page)) return;
      page.focus({ preventScroll: true });
      late.observe(page, { childList: true, subtree: true });
    });
    return () => {
      unsubscribe();
      late.disconnect();
    };
  }, [router, main]);
}

/** Focuses a page's heading; false if it has none yet. */
function focusHeading(page: HTMLElement): boolean {
  const heading = focusableHeading(page);
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

function AdminPanelButton() {
  const { isAdmin } = useAuth();
  return isAdmin ? (
    <LinkButton
      to="/admin"
      // At the console it stands over what was said, not over where one types and sends.
      className="button-main fixed right-gutter bottom-4 z-floating mb-(--below) min-h-12 gap-3 [body:has([data-console])_&]:bottom-34 lg:[body:has([data-console])_&]:bottom-28"
    >
      Admin Panel
      <Arrow />
    </LinkButton>
  ) : null;
}

function isAnyReadFailing(cache: QueryCache): boolean {
  return cache.getAll().some((query) => {
    const reason = query.state.fetchFailureReason ?? query.state.error;
    if (reason === null || !apiError(reason).isTransient) return false;
    return query.observers.some(
      ({ options: { enabled, retry } }) => enabled !== false && retry !== false,
    );
  });
}

/**
 * A live region that is always present, and speaks only while the connection is lost. `aria-live` is explicit, as
 * dialogs leave such elements visible.
 */
export function ConnectionLine() {
  const cache = useQueryClient().getQueryCache();
  const isLost = useSyncExternalStore(
    cache.subscribe,
    () => isAnyReadFailing(cache),
    () => false,
  );
  return (
    <div role="status" aria-live="polite" className="fixed inset-x-0 bottom-0 z-status">
      {isLost && (
        <p
          data-lost
          className="type-label flex h-11 items-center gap-3 border-signal border-t bg-ground px-gutter text-signal"
        >
          <span className="block-cursor blink" aria-hidden="true" />
          CONNECTION LOST. RETRYING.
        </p>
      )}
    </div>
  );
}
