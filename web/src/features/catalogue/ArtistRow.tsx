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
    <li className="group grid grid-cols-[6rem_1fr] border-hairline border-b transition-colors hover:bg-ink/4 lg:grid-cols-12 lg:gap-x-gutter">
      <div
        className={`row-span-2 self-stretch lg:order-last lg:col-span-1 lg:row-span-1 ${SHOWN_ON_APPROACH}`}
      >
        <Picture
          url={artist.image_url}
          smallUrl={artist.image_small_url}
          width={artist.image_width}
          height={artist.image_height}
          alt={artist.name}
          seed={artist.id}
          sizes="8rem"
          className="size-24 lg:aspect-square lg:h-full lg:min-h-28 lg:w-full"
        />
      </div>
      <div className="flex flex-col justify-center px-gutter py-4 lg:col-span-5 lg:py-5">
        <h2>
          <Link
            to="/artists/$artistId"
            params={{ artistId: artist.id }}
            className="type-heading inline-block group-hover:text-ink"
          >
            {artist.name}
          </Link>
        </h2>
      </div>
      <div className="col-start-2 px-gutter pb-4 lg:col-span-4 lg:col-start-auto lg:flex lg:flex-col lg:justify-center lg:gap-2 lg:px-0 lg:py-5">
        <p className="line-clamp-3 text-dim">{artist.bio_label}</p>
        {links.length > 0 && (
          <ul className={`type-label mt-2 flex flex-wrap gap-x-4 lg:mt-0 ${SHOWN_ON_APPROACH}`}>
            {links.map(({ name, href }) => (
              <li key={name}>
                <OutLink
                  href={href}
                  className="inline-flex min-h-7 items-center uppercase underline decoration-hairline underline-offset-4 hover:decoration-ink"
                >
                  {name}
                </OutLink>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="type-label col-start-2 px-gutter pb-5 text-dim lg:col-span-2 lg:col-start-auto lg:self-center lg:px-0 lg:pb-0 lg:text-right">
        {artist.release_count_label}
      </p>
    </li>
  );
}
