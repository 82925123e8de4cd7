// One artist in the list. The picture and the links show on hover and on keyboard focus, and
// always where nothing can hover.
import { Link } from "@tanstack/react-router";
import { OutLink } from "../../ui/OutLink.tsx";
import { Picture } from "../../ui/Picture.tsx";
import type { Artist } from "./queries.ts";

const SHOWN_ON_APPROACH =
  "[@media(hover:hover)]:invisible group-hover:visible group-focus-within:visible";

export function ArtistRow({ artist }: { artist: Artist }) {
  const links = [
    { name: "website", href: artist.social_links.website },
    { name: "instagram", href: artist.instagram_url },
    { name: "twitter", href: artist.social_links.twitter },
    { name: "soundcloud", href: artist.soundcloud_url },
  ].filter((link): link is { name: string; href: string } => Boolean(link.href));
  return (
    <li className="group grid grid-cols-[1fr_6rem] border-hairline border-b transition-colors hover:bg-ink/4 lg:grid-cols-12">
      <h2 className="col-start-1 px-gutter pt-4 lg:col-span-5 lg:py-6">
        <Link
          to="/artists/$artistId"
          params={{ artistId: artist.id }}
          className="type-heading inline-block"
        >
          {artist.name}
        </Link>
      </h2>
      <div
        className={`col-start-2 row-span-3 row-start-1 lg:col-start-6 lg:row-span-1 ${SHOWN_ON_APPROACH}`}
      >
        <div className="after-first-paint aspect-square size-24 lg:size-full">
          <Picture of={artist} alt={artist.name} sizes="9rem" isStill className="size-full" />
        </div>
      </div>
      <div className="col-start-1 flex flex-col gap-1 px-gutter pt-2 lg:col-span-4 lg:col-start-7 lg:py-6">
        <p className="whitespace-pre-line text-dim">{artist.bio_label}</p>
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
