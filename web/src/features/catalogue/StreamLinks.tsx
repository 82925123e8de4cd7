import { OutLink } from "../../ui/OutLink.tsx";
import type { Release } from "./queries.ts";

export function StreamLinks({ release }: { release: Release }) {
  return (
    <>
      {release.spotify_url && (
        <OutLink href={release.spotify_url} className="button">
          SPOTIFY
        </OutLink>
      )}
      {release.soundcloud_url && (
        <OutLink href={release.soundcloud_url} className="button">
          SOUNDCLOUD
        </OutLink>
      )}
    </>
  );
}
