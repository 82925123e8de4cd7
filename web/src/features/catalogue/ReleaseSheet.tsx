import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { seen } from "../../session/seen.ts";
import { Arrow } from "../../ui/Arrow.tsx";
import { Button } from "../../ui/Button.tsx";
import { CopyByHand, useCopying } from "../../ui/CopyByHand.tsx";
import { Picture } from "../../ui/Picture.tsx";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { toastSuccess } from "../../ui/toasts/toast.ts";
import { useDocumentTitle } from "../../ui/useDocumentTitle.ts";
import { BackTo } from "./BackTo.tsx";
import { PlayButton, PlayerFrame } from "./Player.tsx";
import type { Release, ReleaseDetail } from "./queries.ts";
import { StreamLinks } from "./StreamLinks.tsx";

interface ReleaseSheetProps {
  release: ReleaseDetail;
  /** True if unpublished: it has nothing to share. */
  isPrivate?: boolean;
}

export function ReleaseSheet({ release, isPrivate = false }: ReleaseSheetProps) {
  useDocumentTitle(release.artist ? `${release.title} by ${release.artist.name}` : release.title);
  const [isPlaying, setIsPlaying] = useState(false);
  return (
    <article aria-labelledby="release">
      <div className="grid grid-cols-[minmax(0,1fr)] border-hairline border-b lg:grid-cols-12">
        <Picture
          of={release}
          alt={`Artwork of ${release.title}`}
          sizes="(width >= 64rem) 42vw, (width >= 40rem) 100vw, calc(100vw - 3rem)"
          isFirst
          className="aspect-square w-full border-hairline lg:col-span-5 lg:border-r"
        />
        <div className="flex flex-col gap-7 px-gutter py-6 lg:col-span-7">
          <BackTo to="/releases" className="self-start max-lg:order-last">
            ALL RELEASES
          </BackTo>
          <div className="mt-auto lg:pt-10">
            <h1 id="release" className="type-display">
              <bdi>{release.title}</bdi>
            </h1>
            <p className="type-lead mt-4 flex items-baseline gap-2">
              <Arrow />
              {release.artist && !isPrivate ? (
                <Link
                  to="/artists/$artistId"
                  params={{ artistId: release.artist.id }}
                  className="hover:underline"
                >
                  <bdi>{release.artist.name}</bdi>
                </Link>
              ) : (
                // The artist of an unpublished release may not be public either.
                <bdi>{release.artist?.name ?? "Unknown Artist"}</bdi>
              )}
            </p>
          </div>
          <Facts release={release} />
          {/* On phones the button and its player are a strip under the artwork, in sight at once. */}
          <div className="contents lg:flex lg:flex-wrap lg:gap-2">
            {release.embed_url && (
              <PlayButton
                isOpen={isPlaying}
                describedBy="release"
                onToggle={() => setIsPlaying(!isPlaying)}
                className="max-lg:-mx-gutter max-lg:-mt-6 max-lg:order-first max-lg:min-h-14 max-lg:justify-center"
              />
            )}
            <div className="flex flex-wrap gap-2 lg:contents">
              <StreamLinks release={release} />
              {!isPrivate && <ShareButton release={release} />}
            </div>
          </div>
          {isPlaying && release.embed_url && (
            <div className="max-lg:-mx-gutter max-lg:-mt-7 max-lg:order-first">
              <PlayerFrame release={release} url={release.embed_url} />
            </div>
          )}
        </div>
      </div>
      {release.description && (
        <p
          dir="auto"
          className="type-lead max-w-[68ch] whitespace-pre-line px-gutter py-10 lg:py-14"
        >
          {release.description}
        </p>
      )}
      {release.tracks.length > 0 && <TrackList tracks={release.tracks} />}
      {release.credits.length > 0 && <Credits release={release} />}
      <MoreOfArtist release={release} />
      <Neighbours release={release} />
    </article>
  );
}

function Facts({ release }: ReleaseSheetProps) {
  const facts = [
    ["CATALOG", release.catalog],
    ["DATE", release.date_label],
    ["FORMAT", release.format],
  ] as const;
  return (
    <dl className="type-label flex flex-wrap gap-x-8 gap-y-2">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex gap-2">
              <dt className="text-dim">{name}</dt>
              <dd className={name === "CATALOG" ? "text-signal" : ""}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Credits({ release }: ReleaseSheetProps) {
  return (
    <section
      aria-labelledby="credits"
      className="grid gap-y-5 border-hairline border-t py-10 lg:grid-cols-12"
    >
      <h2 id="credits" className="type-label px-gutter lg:col-span-5">
        CREDITS
      </h2>
      <dl className="grid gap-y-2 px-gutter lg:col-span-7">
        {release.credits.map(({ role, name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a person may have two credits
          <div key={index} className="grid grid-cols-2 gap-4">
            <dt className="text-dim">
              <bdi>{role}</bdi>
            </dt>
            <dd>
              <bdi>{name}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function MoreOfArtist({ release }: ReleaseSheetProps) {
  if (!release.artist || release.more_of_artist.length === 0) return null;
  return (
    <section aria-labelledby="more" className="border-hairline border-t">
      <h2 id="more" className="type-label px-gutter pt-10 pb-4">
        MORE BY <bdi>{release.artist.name}</bdi>
      </h2>
      <ul className="grid-cells grid-cols-2 border-hairline border-t lg:grid-cols-4">
        {release.more_of_artist.map((other) => (
          <li key={other.id} className="p-gutter">
            <OtherRelease release={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OtherRelease({ release }: { release: Release }) {
  return (
    <>
      <div className="after-first-paint aspect-square">
        <Picture
          of={release}
          alt=""
          sizes="(width >= 64rem) calc(25vw - 3rem), calc(50vw - 2rem)"
          isStill
          className="size-full"
        />
      </div>
      <h3 className="type-title mt-3">
        <Link to="/releases/$slug" params={{ slug: release.slug }} className="hover:underline">
          <bdi>{release.title}</bdi>
        </Link>
      </h3>
      <p className="type-label mt-1 text-dim">{release.date_label}</p>
    </>
  );
}

function Neighbours({ release: { newer, older } }: ReleaseSheetProps) {
  if (!newer && !older) return null;
  return (
    <nav
      aria-label="Other releases"
      className="grid grid-cols-[minmax(0,1fr)] gap-y-4 border-hairline border-t px-gutter py-8 sm:grid-cols-2"
    >
      {newer && (
        <Link
          to="/releases/$slug"
          params={{ slug: newer.slug }}
          className="inline-flex min-h-11 items-center gap-3 self-start hover:underline"
        >
          <Arrow back />
          <span>
            <span className="type-label block text-dim">NEWER</span> <bdi>{newer.title}</bdi>
          </span>
        </Link>
      )}
      {older && (
        <Link
          to="/releases/$slug"
          params={{ slug: older.slug }}
          className="inline-flex min-h-11 items-center gap-3 sm:col-start-2 sm:justify-end sm:text-right hover:underline"
        >
          <span>
            <span className="type-label block text-dim">OLDER</span> <bdi>{older.title}</bdi>
          </span>
          <Arrow />
        </Link>
      )}
    </nav>
  );
}

function TrackList({ tracks }: Pick<ReleaseDetail, "tracks">) {
  return (
    <section
      aria-labelledby="tracks"
      className="grid gap-y-5 border-hairline border-t py-10 lg:grid-cols-12"
    >
      <h2 id="tracks" className="type-label px-gutter lg:col-span-5">
        TRACKS
      </h2>
      <ol className="px-gutter lg:col-span-7">
        {tracks.map((track, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a track is its place in the list
            key={index}
            className="grid grid-cols-[2.5rem_1fr_auto] items-baseline gap-x-3 border-hairline border-b py-2.5"
          >
            <span aria-hidden={!track.position} className="type-label text-signal">
              {track.position ?? String(index + 1).padStart(2, "0")}
            </span>
            <span>
              <bdi>{track.title}</bdi>
              {track.artist && (
                <span className="block text-dim">
                  <bdi>{track.artist}</bdi>
                </span>
              )}
            </span>
            <span className="type-label text-dim">{track.duration_label}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Closing the device's sheet is not a failure. */
const isDismissed = (error: unknown) => error instanceof Error && error.name === "AbortError";

function ShareButton({ release: { id, slug, title } }: { release: Release }) {
  useToastsAhead();
  const { copy, refused } = useCopying(() => toastSuccess("url_copied"));

  async function share(): Promise<void> {
    seen({ event: "share", release: id });
    const url = `${window.location.origin}/releases/${slug}`;
    if ("share" in navigator) {
      try {
        await navigator.share({ title, url });
        return;
      } catch (error) {
        if (isDismissed(error)) return;
      }
    }
    await copy(url);
  }

  return (
    <>
      <Button className="noscript:hidden" onClick={() => void share()}>
        SHARE
      </Button>
      {refused && <CopyByHand refused={refused} label={`URL of ${title}`} what="The address" />}
    </>
  );
}
