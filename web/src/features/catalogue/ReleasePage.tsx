// The page of one release: everything that is known of it, and the ways on.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { readState } from "../../api/readState.ts";
import { PAGE_NOT_FOUND } from "../../rules/generated/constants.ts";
import { Arrow } from "../../ui/Arrow.tsx";
import { ErrorPage } from "../../ui/ErrorPage.tsx";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonLines, SkeletonSquare } from "../../ui/Skeleton.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { releaseQuery } from "./queries.ts";
import { ReleaseSheet } from "./ReleaseSheet.tsx";

const route = getRouteApi("/releases/$slug");

export function ReleasePage() {
  const { slug } = route.useParams();
  const release = useQuery(releaseQuery(slug));
  const isLoading = readState(release) === "loading";
  const navigate = useNavigate();
  const present = release.data?.slug;
  useEffect(() => {
    // A former address leads to the present one.
    if (present !== undefined && present !== slug) {
      void navigate({ to: "/releases/$slug", params: { slug: present }, replace: true });
    }
  }, [present, slug, navigate]);
  return (
    <>
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {/* What is no longer out is not shown from memory. */}
      {release.data && !release.isError ? (
        <ReleaseSheet key={release.data.id} release={release.data} />
      ) : (
        <ReleaseAbsent isLoading={isLoading} isRefused={release.isError} />
      )}
    </>
  );
}

interface ReleaseAbsentProps {
  isLoading: boolean;
  /** The server has answered that it is not to be seen. */
  isRefused: boolean;
}

/** What stands in the place of a release. That nothing has answered does not say that there is none. */
export function ReleaseAbsent({ isLoading, isRefused }: ReleaseAbsentProps) {
  if (isLoading) return <LoadingRelease />;
  if (isRefused) return <ReleaseNotFound />;
  return <Notice>THIS RELEASE COULD NOT BE READ. RETRYING.</Notice>;
}

function ReleaseNotFound() {
  useDocumentTitle("Page not found");
  return (
    <ErrorPage name="404" message={PAGE_NOT_FOUND}>
      <Link to="/releases" activeOptions={{ exact: true }} className="button button-outline gap-3">
        <Arrow back />
        RETURN TO RELEASES
      </Link>
    </ErrorPage>
  );
}

function LoadingRelease() {
  return (
    <div className="grid lg:grid-cols-12">
      <div className="lg:col-span-5">
        <SkeletonSquare />
      </div>
      <div className="px-gutter py-10 lg:col-span-7">
        <SkeletonLines lines={6} />
      </div>
    </div>
  );
}
