// An unpublished release, behind its private link.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { readState } from "../../api/readState.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { privateReleaseQuery } from "./queries.ts";
import { ReleaseAbsent } from "./ReleasePage.tsx";
import { ReleaseSheet } from "./ReleaseSheet.tsx";

const route = getRouteApi("/p/$token");

export function PrivateReleasePage() {
  const { token } = route.useParams();
  const release = useQuery(privateReleaseQuery(token));
  const isLoading = readState(release) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {release.data && !release.isError ? (
        <>
          <p className="type-label border-hairline border-b bg-signal px-gutter py-3 text-ground">
            PRIVATE: THIS RELEASE IS NOT OUT YET
          </p>
          <ReleaseSheet release={release.data} isPrivate />
        </>
      ) : (
        <ReleaseAbsent isLoading={isLoading} isRefused={release.isError} />
      )}
    </>
  );
}
