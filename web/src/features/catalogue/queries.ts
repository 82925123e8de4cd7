// What the catalogue's pages read.
import { type Answer, urlOf } from "../../api/client.ts";
import { pagesOf, pagesQuery, type Query, readQuery } from "../../api/queries.ts";
import { LIST_PAGE } from "../../rules/generated/constants.ts";

export type Release = Answer<"GET", "/api/releases">["items"][number];
export type Artist = Answer<"GET", "/api/artists/{id}">;

/** All releases, newest first; those from a position in the list on, where one is given. */
export const releasesQuery = (cursor?: string) => releasesWhere(cursor ? { cursor } : {});

/** The releases of one artist, newest first. */
export const releasesOfQuery = (artist_id: string) => releasesWhere({ artist_id });

function releasesWhere({
  artist_id,
  cursor,
}: Pick<Query<"/api/releases">, "artist_id" | "cursor">) {
  // In the order in which the served page names its data.
  const query = { ...(artist_id && { artist_id }), limit: LIST_PAGE, ...(cursor && { cursor }) };
  const pages = pagesOf("/api/releases");
  return pagesQuery(urlOf("/api/releases", { query }), (after, signal) =>
    pages({ ...query, ...after }, signal),
  );
}

/** All artists, alphabetically; those from a position in the list on, where one is given. */
export function artistsQuery(cursor?: string) {
  const query = { limit: LIST_PAGE, ...(cursor && { cursor }) };
  return pagesQuery(urlOf("/api/artists", { query }), (after, signal) =>
    pagesOf("/api/artists")({ ...query, ...after }, signal),
  );
}

export const artistQuery = (artistId: string) =>
  readQuery("/api/artists/{id}", { path: { id: artistId } });
