import { useQuery } from "@tanstack/react-query";
import { useHydrated } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { readState } from "../../api/readState.ts";
import { maintenanceQuery } from "../../api/siteContent.ts";
import { useIsLate } from "../../api/useIsLate.ts";
import { MAINTENANCE } from "../../rules/generated/constants.ts";
import { useAuth } from "../../session/useAuth.ts";
import { GroovesBehind } from "../../ui/Grooves.tsx";
import { SkeletonBlock } from "../../ui/Skeleton.tsx";

interface MaintenanceGateProps {
  /** The page's maintenance setting, if it has one. */
  pageKey: string | undefined;
  children: ReactNode;
}

export function MaintenanceGate({ pageKey, children }: MaintenanceGateProps) {
  const settings = useQuery(maintenanceQuery);
  const { isAdmin, isExpected } = useAuth();
  // A setting that cannot be read is off.
  const isFailing = settings.isError || settings.failureCount > 0;
  const known = isFailing ? undefined : settings.data;
  const setting = known?.items.find((item) => item.page_key === pageKey);
  // A painted page stays.
  const isHydrated = useHydrated();
  const [isPainted] = useState(!isHydrated);
  // A signed-in person may be an admin, who may see the page: that is checked before it closes.
  const isWaiting =
    readState(settings) === "loading" ||
    (setting?.is_maintenance_mode === true && isExpected && !isPainted);
  const isLate = useIsLate(isWaiting);
  // Without an answer about the session, the person is not an admin.
  const isClosed = pageKey !== undefined && !isAdmin;
  const isInMaintenance = setting?.is_maintenance_mode === true;
  // The page keeps its place in the tree, so that learning who is here does not remount it.
  return (
    <>
      {isInMaintenance && isAdmin && (
        <p role="note" className="border-signal border-b px-gutter py-3 text-signal">
          In maintenance: visitors see the maintenance screen here. You see the page.
        </p>
      )}
      {isClosed && isWaiting && !isLate ? (
        <SkeletonBlock lines={4} className="flex-1 px-gutter py-16" />
      ) : isClosed && isInMaintenance ? (
        <MaintenanceScreen message={setting.maintenance_message} />
      ) : (
        children
      )}
    </>
  );
}

function MaintenanceScreen({ message }: { message: string | null | undefined }) {
  return (
    <section
      data-maintenance=""
      className="grid-sheet relative flex-1 content-end gap-y-6 overflow-hidden py-12"
    >
      <GroovesBehind
        seed="SYSTEM PATCH"
        className="-top-1/6 -right-1/3 w-full md:-right-1/6 md:w-3/5"
      />
      <div className="relative col-span-12 flex flex-col items-start gap-6 pt-32">
        <h1 className="type-display">MAINTENANCE</h1>
        <p className="type-heading">SYSTEM PATCH IN PROGRESS...</p>
        <p className="type-lead max-w-[42ch] text-dim">{MAINTENANCE}</p>
        {message && (
          <p dir="auto" className="type-lead max-w-[42ch] whitespace-pre-line">
            {message}
          </p>
        )}
        <p className="type-label flex items-center gap-3 text-signal">
          <span aria-hidden="true" className="block-cursor blink" />
          STATUS: OFFLINE
        </p>
      </div>
    </section>
  );
}
