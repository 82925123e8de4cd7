import { queryOptions } from "@tanstack/react-query";
import { type Answer, ask, heed, refusal, urlOf } from "../../api/client.ts";
import { pagesOf, pagesQuery, readQuery } from "../../api/queries.ts";
import { LIST_PAGE } from "../../rules/generated/constants.ts";

export type Release = Answer<"GET", "/api/releases">["items"][number];
export type ReleaseDetail = Answer<"GET", "/api/releases/{slug}">;
export type Artist = Answer<"GET", "/api/artists/{id}">;

type Asked = { [Part in "artist_id" | "q" | "cursor"]?: string | undefined };

/** Releases, newest first; of one artist, narrowed by a search, and from a cursor on. */
export function releasesQuery({ artist_id, q, cursor }: Asked) {
  // In the order of the served page's data.
  const query = {
    ...(artist_id && { artist_id }),
    limit: LIST_PAGE,
    ...(q && { q }),
    ...(cursor && { cursor }),
  };
  const pages = pagesOf("/api/releases");
  return pagesQuery(urlOf("/api/releases", { query }), (after, signal) =>
    pages({ ...query, ...after }, signal),
  );
}

/** Artists, alphabetically; from a cursor on. */
export function artistsQuery(cursor?: string) {
  const query = { limit: LIST_PAGE, ...(cursor && { cursor }) };
  return pagesQuery(urlOf("/api/artists", { query }), (after, signal) =>
    pagesOf("/api/artists")({ ...query, ...after }, signal),
  );
}

export const artistQuery = (artistId: string) =>
  readQuery("/api/artists/{id}", { path: { id: artistId } });

export const releaseQuery = (slug: string) => readQuery("/api/releases/{slug}", { path: { slug } });

type PrivateRelease = ReleaseDetail & {
  /** Answered by the public read. */
  isOut?: true;
};

export const privateReleaseQuery = (token: string) => {
  const path = "/api/private/{token}";
  const params = { path: { token } };
  return queryOptions({
    queryKey: [urlOf(path, params)],
    queryFn: async ({ signal }): Promise<PrivateRelease> => {
      const { response, data, error } = await ask("GET", path, { ...params, signal });
      if (!data) throw heed(refusal(response.ok ? 0 : response.status, error, response.headers));
      return response.redirected ? { ...data, isOut: true } : data;
    },
  });
};
