import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { readState } from "../../api/readState.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { MissingPage } from "../../ui/MissingPage.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonSheet } from "../../ui/Skeleton.tsx";
import { privateReleaseQuery, type ReleaseDetail, releaseQuery } from "./queries.ts";
import { ReleaseSheet } from "./ReleaseSheet.tsx";

const route = getRouteApi("/releases/$slug");

export function ReleasePage() {
  const { slug } = route.useParams();
  const release = useQuery(releaseQuery(slug));
  const isLoading = readState(release) === "loading";
  useMove(release.isStale ? undefined : release.data, slug);
  return (
    <>
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {/* An unpublished release is not shown from memory. */}
      {release.data && !release.isError ? (
        <ReleaseSheet key={release.data.id} release={release.data} />
      ) : (
        <ReleaseAbsent isLoading={isLoading} isRefused={release.isError} />
      )}
    </>
  );
}

/** Leads from a former slug to the present one, with the player, the place and an open dialog. */
function useMove(release: ReleaseDetail | undefined, slug: string): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    if (!release || release.slug === slug) return;
    client.setQueryData(releaseQuery(release.slug).queryKey, release);
    void navigate({
      to: "/releases/$slug",
      params: { slug: release.slug },
      search: (open) => open,
      state: { movedFrom: `/releases/${slug}` },
      replace: true,
      resetScroll: false,
    });
  }, [release, slug, client, navigate]);
}

interface ReleaseAbsentProps {
  isLoading: boolean;
  /** The server answered that it does not exist. */
  isRefused: boolean;
}

/** In place of a release. Silence does not mean that it does not exist. */
function ReleaseAbsent({ isLoading, isRefused }: ReleaseAbsentProps) {
  if (isLoading) return <SkeletonSheet />;
  if (isRefused) return <MissingPage to="/releases" back="RETURN TO RELEASES" />;
  return <Notice>THIS RELEASE COULD NOT BE READ. RETRYING.</Notice>;
}

const privateRoute = getRouteApi("/p/$token");

export function PrivateReleasePage() {
  const { token } = privateRoute.useParams();
  const release = useQuery(privateReleaseQuery(token));
  const isLoading = readState(release) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {release.data && !release.isError ? (
        <>
          {!release.data.isOut && (
            <p className="type-label border-hairline border-b bg-signal px-gutter py-3 text-ground">
              PRIVATE: THIS RELEASE IS NOT OUT YET
            </p>
          )}
          {/* Not moved to its public address, which would end the player. */}
          <ReleaseSheet release={release.data} isPrivate={!release.data.isOut} />
        </>
      ) : (
        <ReleaseAbsent isLoading={isLoading} isRefused={release.isError} />
      )}
    </>
  );
}
