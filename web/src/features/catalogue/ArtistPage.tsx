import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { readState } from "../../api/readState.ts";
import { ARTIST_NOT_FOUND } from "../../rules/generated/constants.ts";
import { type Brand, BrandIcon } from "../../ui/BrandIcon.tsx";
import { LoadingStatus } from "../../ui/LoadingStatus.tsx";
import { MissingPage } from "../../ui/MissingPage.tsx";
import { OutLink } from "../../ui/OutLink.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { SkeletonSheet } from "../../ui/Skeleton.tsx";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { BackTo } from "./BackTo.tsx";
import { Discography } from "./Discography.tsx";
import { type Artist, artistQuery } from "./queries.ts";

const route = getRouteApi("/artists/$artistId");

export function ArtistPage() {
  const { artistId } = route.useParams();
  const artist = useQuery(artistQuery(artistId));
  const isLoading = readState(artist) === "loading";
  return (
    <>
      <LoadingStatus isLoading={isLoading}>LOADING TRANSMISSIONS...</LoadingStatus>
      {/* A deleted artist is not shown from memory. */}
      {artist.data && !artist.isError ? (
        <ArtistSheet artist={artist.data} />
      ) : isLoading ? (
        <SkeletonSheet />
      ) : (
        <MissingPage message={ARTIST_NOT_FOUND} to="/artists" back="RETURN TO ARTISTS" />
      )}
    </>
  );
}

function ArtistSheet({ artist }: { artist: Artist }) {
  useDocumentTitle(artist.name);
  return (
    <article>
      <div className="grid border-hairline border-b lg:grid-cols-12">
        <Picture
          of={artist}
          alt={artist.name}
          sizes="(width >= 64rem) 42vw, (width >= 40rem) 100vw, calc(100vw - 3rem)"
          isFirst
          className="aspect-square w-full border-hairline sm:aspect-[2/1] sm:object-[50%_25%] lg:object-center lg:col-span-5 lg:aspect-square lg:border-r"
        />
        <div className="flex flex-col gap-8 px-gutter py-6 lg:col-span-7">
          <BackTo to="/artists" className="self-start">
            BACK TO ARTISTS
          </BackTo>
          <h1 className="type-display mt-auto pt-10">
            <bdi>{artist.name}</bdi>
          </h1>
          <ArtistLinks artist={artist} />
        </div>
      </div>
      <section
        aria-labelledby="bio"
        className="grid gap-y-5 border-hairline border-b py-10 lg:grid-cols-12 lg:py-14"
      >
        <h2 id="bio" className="type-label px-gutter lg:col-span-5">
          BIO
        </h2>
        <p
          dir="auto"
          className="type-lead max-w-[68ch] whitespace-pre-line px-gutter lg:col-span-7"
        >
          {artist.bio?.trim() ? artist.bio : "NO BIO AVAILABLE"}
        </p>
      </section>
      <Discography artistId={artist.id} />
    </article>
  );
}

function ArtistLinks({ artist }: { artist: Artist }) {
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
