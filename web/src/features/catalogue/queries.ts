// What the catalogue's pages read.
import type { Answer } from "../../api/client.ts";
import { readQuery } from "../../api/queries.ts";
import { usePages } from "../../api/usePages.ts";

export type Release = Answer<"/api/releases">["items"][number];
export type Artist = Answer<"/api/artists/{id}">;

/** Rows that are asked for at once. */
const PAGE_LIMIT = 50;

/** All releases, newest first. */
export const useReleases = () => usePages("/api/releases", { limit: PAGE_LIMIT });

/** The releases of one artist, newest first. */
export const useReleasesOf = (artistId: string) =>
  usePages("/api/releases", { artist_id: artistId, limit: PAGE_LIMIT });

/** All artists, alphabetically. */
export const useArtists = () => usePages("/api/artists", { limit: PAGE_LIMIT });

export const artistQuery = (artistId: string) =>
  readQuery("/api/artists/{id}", { path: { id: artistId } });
