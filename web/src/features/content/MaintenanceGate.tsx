// Decides whether a page or its maintenance screen shows.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readState } from "../../api/readState.ts";
import { useIsLate } from "../../api/useIsLate.ts";
import { useAuth } from "../../session/useAuth.ts";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { MaintenanceScreen } from "./MaintenanceScreen.tsx";
import { maintenanceQuery } from "./queries.ts";

interface MaintenanceGateProps {
  /** The setting that covers the page; without one it never goes into maintenance. */
  pageKey: string | undefined;
  children: ReactNode;
}

export function MaintenanceGate({ pageKey, children }: MaintenanceGateProps) {
  const settings = useQuery(maintenanceQuery);
  const { lastKnown, isExpected } = useAuth();
  const setting = settings.data?.items.find((item) => item.page_key === pageKey);
  // Whoever was signed in may be an admin, to whom the page is open: that is asked before it is closed to them.
  const isWaiting =
    readState(settings) === "loading" || (setting?.is_maintenance_mode === true && isExpected);
  const isLate = useIsLate(isWaiting);
  // An admin's page stays open while their session cannot be checked.
  if (pageKey === undefined) return children;
  if (lastKnown.isAdmin) {
    return (
      <>
        {setting?.is_maintenance_mode && (
          <p role="note" className="border-signal border-b px-gutter py-3 text-signal">
            In maintenance: visitors see the maintenance screen here. You see the page.
          </p>
        )}
        {children}
      </>
    );
  }
  if (isWaiting && !isLate) {
    return (
      <div aria-busy="true" className="flex-1 px-gutter py-16">
        <SkeletonLines lines={4} />
      </div>
    );
  }
  return setting?.is_maintenance_mode ? (
    <MaintenanceScreen message={setting.maintenance_message} />
  ) : (
    children
  );
}
