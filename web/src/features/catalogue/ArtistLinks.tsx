import { type Brand, BrandIcon } from "../../ui/BrandIcon.tsx";
import { OutLink } from "../../ui/OutLink.tsx";
import type { Artist } from "./queries.ts";

export function ArtistLinks({ artist }: { artist: Artist }) {
  const links: ReadonlyArray<[Brand, string | null | undefined]> = [
    ["spotify", artist.spotify_url],
    ["soundcloud", artist.soundcloud_url],
    ["instagram", artist.instagram_url],
    ["youtube", artist.youtube_url],
    ["apple_music", artist.apple_music_url],
    ["website", artist.social_links.website],
    ["twitter", artist.social_links.twitter],
  ];
  return (
    <ul className="flex flex-wrap gap-2 empty:hidden">
      {links.map(
        ([brand, href]) =>
          href && (
            <li key={brand}>
              <OutLink
                href={href}
                label={brand.replace("_", " ")}
                className="button size-11 justify-center px-0 hover:bg-ink hover:text-ground"
              >
                <BrandIcon brand={brand} />
              </OutLink>
            </li>
          ),
      )}
    </ul>
  );
}
