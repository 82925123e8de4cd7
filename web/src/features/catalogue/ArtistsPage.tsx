import { getRouteApi, Link } from "@tanstack/react-router";
import { useSiteContent } from "../../api/siteContent.ts";
import { usePages } from "../../api/usePages.ts";
import { Button } from "../../ui/Button.tsx";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { useLabelName } from "../../ui/labelName.ts";
import { NeedsScript } from "../../ui/NeedsScript.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { OutLink } from "../../ui/OutLink.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { BackTo } from "./BackTo.tsx";
import { type Artist, artistsQuery } from "./queries.ts";

interface ArtistsPageProps {
  onJoin: () => void;
  /** Called at the first sign that it will be pressed. */
  onNearJoin: () => void;
}

const route = getRouteApi("/artists");

export function ArtistsPage({ onJoin, onNearJoin }: ArtistsPageProps) {
  const { cursor } = route.useSearch();
  const pages = usePages(artistsQuery(cursor));
  const { items, isLoading } = pages;
  return (
    <>
      <PageHead name="ARTISTS" />
      {cursor && (
        <p className="type-label border-hairline border-b px-gutter py-3">
          <BackTo to="/artists">BACK TO THE FIRST</BackTo>
        </p>
      )}
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
      <LoadMore
        pages={pages}
        next={
          <Link to="/artists" search={{ cursor: pages.nextCursor }} className="button">
            MORE ARTISTS
          </Link>
        }
      />
      <JoinSection onJoin={onJoin} onNear={onNearJoin} />
    </>
  );
}

interface JoinSectionProps {
  onJoin: () => void;
  onNear: () => void;
}

function JoinSection({ onJoin, onNear }: JoinSectionProps) {
  const content = useSiteContent(useLabelName());
  const title = content("artists_join_title");
  const description = content("artists_join_description");
  return (
    <section
      aria-labelledby="join"
      className="grid-sheet mt-auto gap-y-6 border-hairline border-t pt-20 pb-16 lg:pt-28"
    >
      <h2 id="join" className="type-heading col-span-12 lg:col-span-6">
        {title === undefined ? <SkeletonLines lines={1} /> : <bdi>{title}</bdi>}
      </h2>
      <div className="col-span-12 flex flex-col items-start gap-8 lg:col-span-5 lg:col-start-8">
        <p dir="auto" className="type-lead w-full whitespace-pre-line">
          {description ?? <SkeletonLines lines={2} />}
        </p>
        <Button
          aria-haspopup="dialog"
          variant="main"
          size="large"
          className="w-full px-8 sm:w-auto noscript:hidden"
          onPointerEnter={onNear}
          onFocus={onNear}
          onClick={onJoin}
        >
          SUBMIT A DEMO
        </Button>
        <NeedsScript className="text-signal">Sending a demo needs JavaScript.</NeedsScript>
      </div>
    </section>
  );
}

const SHOWN_ON_APPROACH =
  "[@media(hover:hover)]:invisible group-hover:visible group-focus-within:visible";

function ArtistRow({ artist }: { artist: Artist }) {
  const links = [
    { name: "website", href: artist.social_links.website },
    { name: "instagram", href: artist.instagram_url },
    { name: "twitter", href: artist.social_links.twitter },
    { name: "soundcloud", href: artist.soundcloud_url },
  ].filter((link): link is { name: string; href: string } => Boolean(link.href));
  return (
    <li className="group grid grid-cols-[minmax(0,1fr)_min(6rem,30%)] border-hairline border-b transition-colors hover:bg-ink/4 lg:grid-cols-12">
      <h2 className="col-start-1 px-gutter pt-4 lg:col-span-5 lg:py-6">
        <Link
          to="/artists/$artistId"
          params={{ artistId: artist.id }}
          className="type-heading inline-block"
        >
          <bdi>{artist.name}</bdi>
        </Link>
      </h2>
      <div
        className={`col-start-2 row-span-3 row-start-1 lg:col-start-6 lg:row-span-1 ${SHOWN_ON_APPROACH}`}
      >
        <div className="after-first-paint aspect-square w-full lg:h-full">
          <Picture of={artist} alt={artist.name} sizes="9rem" isStill className="size-full" />
        </div>
      </div>
      <div className="col-start-1 flex flex-col gap-1 px-gutter pt-2 lg:col-span-4 lg:col-start-7 lg:py-6">
        <p dir="auto" className="whitespace-pre-line text-dim">
          {artist.bio_label}
        </p>
        {links.length > 0 && (
          <ul className={`type-label flex flex-wrap gap-x-4 ${SHOWN_ON_APPROACH}`}>
            {links.map(({ name, href }) => (
              <li key={name}>
                <OutLink
                  href={href}
                  className="inline-flex min-h-7 items-center text-link decoration-hairline uppercase"
                >
                  {name}
                </OutLink>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="type-label col-start-1 px-gutter pt-1 pb-5 text-dim lg:col-span-2 lg:col-start-11 lg:py-6 lg:text-right">
        {artist.release_count_label}
      </p>
    </li>
  );
}
