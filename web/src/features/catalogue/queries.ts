// What the catalogue's pages read.
import { type Answer, urlOf } from "../../api/client.ts";
import { pagesOf, pagesQuery, type Query, readQuery } from "../../api/queries.ts";
import { LIST_PAGE } from "../../rules/generated/constants.ts";

export type Release = Answer<"GET", "/api/releases">["items"][number];
export type Artist = Answer<"GET", "/api/artists/{id}">;

/** All releases, newest first. */
export const releasesQuery = releasesWhere({});

/** The releases of one artist, newest first. */
export const releasesOfQuery = (artist_id: string) => releasesWhere({ artist_id });

function releasesWhere(where: Pick<Query<"/api/releases">, "artist_id">) {
  const query = { ...where, limit: LIST_PAGE };
  const pages = pagesOf("/api/releases");
  return pagesQuery(urlOf("/api/releases", { query }), (after, signal) =>
    pages({ ...query, ...after }, signal),
  );
}

/** All artists, alphabetically. */
export const artistsQuery = pagesQuery(
  urlOf("/api/artists", { query: { limit: LIST_PAGE } }),
  (after, signal) => pagesOf("/api/artists")({ limit: LIST_PAGE, ...after }, signal),
);

export const artistQuery = (artistId: string) =>
  readQuery("/api/artists/{id}", { path: { id: artistId } });
