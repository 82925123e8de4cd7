import { type Platform, seen } from "../../session/seen.ts";
import { OutLink } from "../../ui/OutLink.tsx";
import type { Release, ReleaseDetail } from "./queries.ts";

const PLATFORMS: ReadonlyArray<readonly [Platform, name: string]> = [
  ["spotify", "SPOTIFY"],
  ["soundcloud", "SOUNDCLOUD"],
  ["apple_music", "APPLE MUSIC"],
  ["youtube", "YOUTUBE"],
  ["bandcamp", "BANDCAMP"],
];

/** A release of a list has the first two platforms. */
export function StreamLinks({ release }: { release: Release & Partial<ReleaseDetail> }) {
  return PLATFORMS.map(([platform, name]) => {
    const href = release[`${platform}_url`];
    return (
      href && (
        <OutLink
          key={platform}
          href={href}
          className="button"
          onPress={() => seen({ event: "button", release: release.id, platform })}
        >
          {name}
        </OutLink>
      )
    );
  });
}
