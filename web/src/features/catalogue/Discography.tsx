import { Link } from "@tanstack/react-router";
import { usePages } from "../../api/usePages.ts";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { useOnePlaying } from "../../ui/useOnePlaying.ts";
import { PlayButton, PlayerFrame } from "./Player.tsx";
import { type Release, releasesQuery } from "./queries.ts";
import { StreamLinks } from "./StreamLinks.tsx";

export function Discography({ artistId }: { artistId: string }) {
  const pages = usePages(releasesQuery({ artist_id: artistId }));
  const { items, isLoading } = pages;
  const [playing, toggle] = useOnePlaying();
  return (
    <section aria-labelledby="discography">
      <h2 id="discography" className="type-label px-gutter pt-10 pb-4">
        DISCOGRAPHY
      </h2>
      <Notice busy={isLoading}>
        {isLoading ? "LOADING TRANSMISSIONS..." : items.length === 0 && "NO RELEASES FOUND"}
      </Notice>
      <ul>
        {items.map((release) => (
          <DiscographyRow
            key={release.id}
            release={release}
            isPlaying={playing === release.id}
            onToggle={() => toggle(release.id)}
          />
        ))}
      </ul>
      <LoadMore pages={pages} />
    </section>
  );
}

interface DiscographyRowProps {
  release: Release;
  isPlaying: boolean;
  onToggle: () => void;
}

function DiscographyRow({ release, isPlaying, onToggle }: DiscographyRowProps) {
  const titleId = `release-${release.id}`;
  return (
    <li className="border-hairline border-t">
      <div className="grid grid-cols-[5rem_1fr] items-center gap-x-4 gap-y-3 lg:grid-cols-12 lg:gap-x-0">
        <div className="after-first-paint aspect-square self-start lg:col-span-1">
          <Picture of={release} alt="" sizes="8rem" isStill className="size-full" />
        </div>
        <div className="py-3 pr-gutter lg:col-span-4 lg:px-gutter">
          <h3 id={titleId} className="type-title">
            <Link to="/releases/$slug" params={{ slug: release.slug }} className="hover:underline">
              <bdi>{release.title}</bdi>
            </Link>
          </h3>
        </div>
        <p className="type-label col-span-2 flex flex-wrap justify-between gap-x-6 gap-y-1 px-gutter lg:col-span-4 lg:grid lg:grid-cols-2">
          <span>
            CATALOG: <span className="text-signal">{release.catalog_label}</span>
          </span>
          <span className="text-dim">{release.date_label}</span>
        </p>
        <div className="col-span-2 flex flex-wrap gap-2 px-gutter pb-4 lg:col-span-3 lg:justify-end lg:py-3">
          {release.embed_url && (
            <PlayButton isOpen={isPlaying} describedBy={titleId} onToggle={onToggle} />
          )}
          <StreamLinks release={release} />
        </div>
      </div>
      {isPlaying && release.embed_url && (
        <div className="px-gutter py-4">
          <PlayerFrame release={release} url={release.embed_url} />
        </div>
      )}
    </li>
  );
}
