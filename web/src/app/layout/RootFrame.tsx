// The frame around every page: navigation and foot on the public ones, nothing on the admin's.
import { Outlet, useMatches, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { MaintenanceGate } from "../../features/content/MaintenanceGate.tsx";
import { ChallengeHost } from "../../session/ChallengeHost.tsx";
import { Toasts } from "../../ui/toasts/Toasts.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { ConnectionLine } from "../ConnectionLine.tsx";
import { SessionWatch } from "../SessionWatch.tsx";
import { AdminPanelButton } from "./AdminPanelButton.tsx";
import { loadDemoDialog } from "./demoDialog.ts";
import { Footer } from "./Footer.tsx";
import { RunOutStrip } from "./RunOut.tsx";
import { TopNav } from "./TopNav.tsx";
import { loadTerminalAccess } from "./terminalAccess.ts";
import { useCloseDialog } from "./useDialog.ts";

const TerminalAccessDialog = lazy(() =>
  loadTerminalAccess().then((module) => ({
    default: module.TerminalAccessDialog,
  })),
);

const DemoDialog = lazy(() => loadDemoDialog().then((module) => ({ default: module.DemoDialog })));

export function RootFrame() {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const dialog = useRouterState({ select: (state) => state.location.search.dialog });
  const about = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  const closeDialog = useCloseDialog();
  useArrival(pathname, main);

  const page = (
    <main ref={main} id="content" tabIndex={-1} className="flex flex-1 flex-col">
      <MaintenanceGate pageKey={about.maintenanceKey}>
        <Outlet />
      </MaintenanceGate>
    </main>
  );
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="type-label key fixed top-2 left-2 z-40 -translate-y-20 bg-ground focus:translate-y-0"
      >
        SKIP TO CONTENT
      </a>
      {about.title !== undefined && <RouteTitle name={about.title} />}
      {about.isBare ? (
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
      <Suspense>
        {dialog === "login" && <TerminalAccessDialog onClose={closeDialog} />}
        {dialog === "demo" && <DemoDialog onClose={closeDialog} />}
      </Suspense>
      <SessionWatch />
      <ChallengeHost />
      <ConnectionLine />
      <Toasts />
    </div>
  );
}

function RouteTitle({ name }: { name: string }) {
  useDocumentTitle(name);
  return null;
}

/** On every change of page: to its top, and the reading position with it. */
function useArrival(pathname: string, main: React.RefObject<HTMLElement | null>): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}
