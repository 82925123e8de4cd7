import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { usePages } from "../../api/usePages.ts";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { ArtistRow } from "./ArtistRow.tsx";
import { FromTheBeginning } from "./FromTheBeginning.tsx";
import { JoinSection } from "./JoinSection.tsx";
import { artistsQuery } from "./queries.ts";

interface ArtistsPageProps {
  onJoin: () => void;
  /** Called at the first sign that it will be pressed. */
  onNearJoin: () => void;
}

const route = getRouteApi("/artists");

export function ArtistsPage({ onJoin, onNearJoin }: ArtistsPageProps) {
  const { cursor } = route.useSearch();
  const query = useMemo(() => artistsQuery(cursor), [cursor]);
  const { items, isLoading, hasMore, nextCursor, isLoadingMore, isMoreRefused, loadMore } =
    usePages(query);
  return (
    <>
      <PageHead name="ARTISTS" />
      {cursor && <FromTheBeginning to="/artists">BACK TO THE FIRST</FromTheBeginning>}
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {isLoading && (
        <div className="px-gutter py-8">
          <SkeletonLines lines={8} />
        </div>
      )}
      <Notice>{!isLoading && items.length === 0 && "NO ARTISTS FOUND"}</Notice>
      {items.length > 0 && (
        <ul>
          {items.map((artist) => (
            <ArtistRow key={artist.id} artist={artist} />
          ))}
        </ul>
      )}
      {hasMore && (
        <LoadMore
          isLoading={isLoadingMore}
          isRefused={isMoreRefused}
          onNear={loadMore}
          next={
            <Link to="/artists" search={{ cursor: nextCursor }} className="button">
              MORE ARTISTS
            </Link>
          }
        />
      )}
      <JoinSection onJoin={onJoin} onNear={onNearJoin} />
    </>
  );
}
