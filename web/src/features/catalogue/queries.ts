// What the catalogue's pages read.
import type { Answer } from "../../api/client.ts";
import { readQuery } from "../../api/queries.ts";
import { usePages } from "../../api/usePages.ts";
import { LIST_PAGE } from "../../rules/generated/constants.ts";

export type Release = Answer<"/api/releases">["items"][number];
export type Artist = Answer<"/api/artists/{id}">;

/** All releases, newest first. */
export const useReleases = () => usePages("/api/releases", { limit: LIST_PAGE });

/** The releases of one artist, newest first. */
export const useReleasesOf = (artistId: string) =>
  usePages("/api/releases", { artist_id: artistId, limit: LIST_PAGE });

/** All artists, alphabetically. */
export const useArtists = () => usePages("/api/artists", { limit: LIST_PAGE });

export const artistQuery = (artistId: string) =>
  readQuery("/api/artists/{id}", { path: { id: artistId } });
