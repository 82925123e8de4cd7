import { queryOptions } from "@tanstack/react-query";
import { apiError, call, urlOf } from "../../api/client.ts";
import { readQuery } from "../../api/queries.ts";

const HERO = { path: { key: "hero_background" } };

/** The home page's picture, or null if the label has set none. */
export const heroQuery = queryOptions({
  queryKey: [urlOf("/api/site-images/{key}", HERO)],
  queryFn: ({ signal }) =>
    call("GET", "/api/site-images/{key}", { ...HERO, signal }).catch((error: unknown) => {
      if (apiError(error).status === 404) return null;
      throw error;
    }),
});

export const privacyPolicyQuery = readQuery("/api/content/{key}", {
  path: { key: "privacy_policy" },
});

export const imprintQuery = readQuery("/api/content/{key}", { path: { key: "imprint" } });
