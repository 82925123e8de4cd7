// Decides whether a page or its maintenance screen shows.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { readState } from "../../api/readState.ts";
import { useIsLate } from "../../api/useIsLate.ts";
import { useAuth } from "../../session/useAuth.ts";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { useIsHydrated } from "../../ui/useIsHydrated.ts";
import { MaintenanceScreen } from "./MaintenanceScreen.tsx";
import { maintenanceQuery } from "./queries.ts";

interface MaintenanceGateProps {
  /** The setting that covers the page; without one it never goes into maintenance. */
  pageKey: string | undefined;
  children: ReactNode;
}

export function MaintenanceGate({ pageKey, children }: MaintenanceGateProps) {
  const settings = useQuery(maintenanceQuery);
  const { isAdmin, isExpected } = useAuth();
  // A setting that cannot be read is off, whatever it was before.
  const isFailing = settings.isError || settings.failureCount > 0;
  const known = isFailing ? undefined : settings.data;
  const setting = known?.items.find((item) => item.page_key === pageKey);
  // Nothing is taken away that the page was painted with.
  const isHydrated = useIsHydrated();
  const [isPainted] = useState(!isHydrated);
  // Whoever was signed in may be an admin, to whom the page is open: that is asked before it is closed to them.
  const isWaiting =
    readState(settings) === "loading" ||
    (setting?.is_maintenance_mode === true && isExpected && !isPainted);
  const isLate = useIsLate(isWaiting);
  // While it cannot be asked who is here, nobody is an admin.
  const isClosed = pageKey !== undefined && !isAdmin;
  const isInMaintenance = setting?.is_maintenance_mode === true;
  // The page stands in one place whoever looks, so that learning who does leaves it as it is.
  return (
    <>
      {isInMaintenance && isAdmin && (
        <p role="note" className="border-signal border-b px-gutter py-3 text-signal">
          In maintenance: visitors see the maintenance screen here. You see the page.
        </p>
      )}
      {isClosed && isWaiting && !isLate ? (
        <div aria-busy="true" className="flex-1 px-gutter py-16">
          <SkeletonLines lines={4} />
        </div>
      ) : isClosed && isInMaintenance ? (
        <MaintenanceScreen message={setting.maintenance_message} />
      ) : (
        children
      )}
    </>
  );
}
