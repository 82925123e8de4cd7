// What the site's own pages read.
import { queryOptions } from "@tanstack/react-query";
import { apiError, call, urlOf } from "../../api/client.ts";
import { readQuery } from "../../api/queries.ts";

const HERO = { path: { key: "hero_background" } };

/** The picture behind the home page's title, or null where the label has recorded none. */
export const heroQuery = queryOptions({
  queryKey: [urlOf("/api/site-images/{key}", HERO)],
  queryFn: ({ signal }) =>
    call("GET", "/api/site-images/{key}", { params: HERO, signal }).catch((error: unknown) => {
      if (apiError(error).status === 404) return null;
      throw error;
    }),
});

export const privacyPolicyQuery = readQuery("/api/content/{key}", {
  path: { key: "privacy_policy" },
});

/** Which pages are in maintenance. */
export const maintenanceQuery = readQuery("/api/maintenance", {});
