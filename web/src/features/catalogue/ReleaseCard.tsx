import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Arrow } from "../../ui/Arrow.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { PlayButton, PlayerFrame } from "./Player.tsx";
import type { Release } from "./queries.ts";
import { StreamLinks } from "./StreamLinks.tsx";

/**
 * The shown width of a sleeve. On phones one gutter is left out: its few pixels beyond 640 would load the 960 file,
 * twice the bytes.
 */
const SIZES =
  "(width >= 106rem) calc(25vw - 3rem), (width >= 64rem) calc(33.3vw - 3rem), (width >= 40rem) calc(50vw - 2rem), calc(100vw - 3rem)";

/** On phones one card is in sight. The reserved height is that of most, so that little moves later. */
const LATER =
  "sm:contents max-sm:row-span-3 max-sm:after-first-paint max-sm:[contain-intrinsic-block-size:calc(100vw+11.75rem)]";

interface ReleaseCardProps {
  release: Release;
  /** True for the card in sight on every screen when the page opens. */
  isFirst: boolean;
  isPlaying: boolean;
  /** The same function on every render. */
  onToggle: (releaseId: string) => void;
}

export const ReleaseCard = memo(function ReleaseCard({
  release,
  isFirst,
  isPlaying,
  onToggle,
}: ReleaseCardProps) {
  const titleId = `release-${release.id}`;
  return (
    <article
      aria-labelledby={titleId}
      className="row-span-3 grid grid-rows-subgrid gap-y-0 p-gutter pb-7"
    >
      <div className={isFirst ? "contents" : LATER}>
        <div>
          <Picture
            of={release}
            alt={`Artwork of ${release.title}`}
            sizes={SIZES}
            isFirst={isFirst}
            isStill
            className="aspect-square w-full"
          />
          <p className="type-label mt-3.5 flex min-h-[1.5em] justify-between gap-4">
            <span className="min-w-0 text-signal">{release.catalog}</span>
            <span className="flex-none text-dim">{release.date_label}</span>
          </p>
          <h2 id={titleId} className="type-title mt-1">
            <Link to="/releases/$slug" params={{ slug: release.slug }} className="hover:underline">
              <bdi>{release.title}</bdi>
            </Link>
          </h2>
          <p className="mt-1.5 flex items-baseline gap-2">
            <Arrow />
            {release.artist ? (
              <Link
                to="/artists/$artistId"
                params={{ artistId: release.artist.id }}
                className="py-1 -my-1 hover:underline"
              >
                <bdi>{release.artist.name}</bdi>
              </Link>
            ) : (
              <span>Unknown Artist</span>
            )}
          </p>
          {release.description && (
            <p dir="auto" className="mt-2.5 whitespace-pre-line text-dim">
              {release.description}
            </p>
          )}
        </div>
        <div className="mt-5 flex flex-wrap items-start gap-2">
          {release.embed_url && (
            <PlayButton
              isOpen={isPlaying}
              describedBy={titleId}
              onToggle={() => onToggle(release.id)}
            />
          )}
          <StreamLinks release={release} />
        </div>
        <div>
          {isPlaying && release.embed_url && (
            <div className="pt-3.5">
              <PlayerFrame release={release} url={release.embed_url} />
            </div>
          )}
        </div>
      </div>
    </article>
  );
});
