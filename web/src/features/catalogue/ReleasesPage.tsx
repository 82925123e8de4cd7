import { getRouteApi, Link, useHydrated } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useState } from "react";
import { usePages } from "../../api/usePages.ts";
import { seen } from "../../session/seen.ts";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { SkeletonLines, SkeletonSquare } from "../../ui/Skeleton.tsx";
import { useOnePlaying } from "../../ui/useOnePlaying.ts";
import { BackTo } from "./BackTo.tsx";
import { releasesQuery } from "./queries.ts";
import { ReleaseCard } from "./ReleaseCard.tsx";
import { ReleaseSearch, useReleaseSearch } from "./ReleaseSearch.tsx";

/** Cards in the first rendering; more than any screen shows. */
const AT_ONCE = 8;
/** A list this short needs no search. */
const FEW = 24;

/** A search that found nothing counts once typing has rested for this long. */
const SETTLED_MS = 2_000;

const CELLS = "grid-cells sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4";

const route = getRouteApi("/releases");

export function ReleasesPage() {
  const { q = "", cursor } = route.useSearch();
  const search = useReleaseSearch(q);
  const pages = usePages(releasesQuery({ q, cursor }), q !== "");
  const { items, isLoading, hasMore } = pages;
  const isLong = hasMore || cursor !== undefined || items.length > FEW;
  // A field in use must not disappear.
  const [hasSearch, setHasSearch] = useState(isLong || q !== "");
  if (!hasSearch && (isLong || q !== "")) setHasSearch(true);
  // Cards below the fold are rendered in slices; a painted page has all of them already.
  const isHydrated = useHydrated();
  const shown = useDeferredValue(items, isHydrated ? items.slice(0, AT_ONCE) : items);
  const [playing, toggle] = useOnePlaying();
  const isVain = q !== "" && pages.isEmpty;
  useEffect(() => {
    if (!isVain) return;
    const timer = setTimeout(() => seen({ event: "search" }, q), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [isVain, q]);
  return (
    <>
      <PageHead name="RELEASES" note="NEWEST FIRST. EVERY PLAYER LOADS ONLY WHEN YOU PRESS PLAY." />
      {hasSearch && (
        <ReleaseSearch
          search={search}
          // A later part without scripts does not know of the earlier ones.
          found={
            q && !cursor && !isLoading && !pages.isLast
              ? { count: items.length, hasMore }
              : undefined
          }
        />
      )}
      {cursor && (
        <p className="type-label border-hairline border-b px-gutter py-3">
          <BackTo to="/releases" search={q ? { q } : {}}>
            BACK TO THE NEWEST
          </BackTo>
        </p>
      )}
      {isLoading && <LoadingCatalogue />}
      <Notice>{!isLoading && items.length === 0 && "NO RELEASES FOUND"}</Notice>
      <div className={CELLS}>
        {shown.map((release, index) => (
          <ReleaseCard
            key={release.id}
            release={release}
            isFirst={index === 0}
            isPlaying={playing === release.id}
            onToggle={toggle}
          />
        ))}
      </div>
      {shown === items && (
        <LoadMore
          pages={pages}
          next={
            <Link
              to="/releases"
              search={{ ...(q && { q }), cursor: pages.nextCursor }}
              className="button"
            >
              OLDER RELEASES
            </Link>
          }
        />
      )}
    </>
  );
}

function LoadingCatalogue() {
  return (
    <>
      <Notice busy>LOADING TRANSMISSIONS...</Notice>
      <div className={`${CELLS} border-hairline border-t`}>
        {["one", "two", "three"].map((cell) => (
          <div key={cell} className="flex flex-col gap-4 p-gutter">
            <SkeletonSquare />
            <SkeletonLines lines={3} />
          </div>
        ))}
      </div>
    </>
  );
}
