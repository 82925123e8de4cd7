// Maps tables to the reads made from them. Events carry no rows: the reads are made again.
import type { Query, QueryClient } from "@tanstack/react-query";

/** The addresses whose answers hold rows of each table. */
const READS_OF: Readonly<Record<string, RegExp>> = {
  // The library lists which rows show a file, so it depends on their tables too.
  // A letter names its releases that are not out.
  releases:
    /^\/api\/(?:admin\/(?:releases|imports|catalog-numbers|media|first-steps|letters\/(?:preview|[^/]+\/sending))|releases|artists|private)\b/,
  artists:
    /^\/api\/(?:(?:admin\/)?(?:releases|artists|artist-choices)|private|admin\/(?:media|first-steps))\b/,
  // Dates of letters and the hour of backups are by the label's time zone, the first catalogue number by its name, which
  // artists without a bio show too.
  site_content:
    /^\/api\/(?:(?:admin\/)?content|label|letters|artists|admin\/(?:first-steps|backups|catalog-numbers))\b/,
  site_images: /^\/api\/(?:(?:admin\/)?site-images|label|admin\/media)\b/,
  maintenance_settings: /^\/api\/maintenance\b/,
  public_letters: /^\/api\/letters\b/,
  // Only admins get events for these.
  store_products: /^\/api\/admin\/(?:products|media)\b/,
  media_files: /^\/api\/admin\/media\b/,
  unpublished_releases:
    /^\/api\/(?:private|admin\/(?:first-steps|releases|imports|catalog-numbers|media|letters\/(?:preview|[^/]+\/sending)))\b/,
  unpublished_artists:
    /^\/api\/(?:private|admin\/(?:first-steps|releases|artists|artist-choices|media))\b/,
  trash: /^\/api\/admin\/(?:trash|first-steps)\b/,
  demos: /^\/api\/admin\/(?:demos|desk)\b/,
  letters: /^\/api\/admin\/(?:letters|media)\b/,
  // A letter counts whom it goes to, and who left by it.
  newsletter_subscriptions: /^\/api\/admin\/(?:newsletter\b|letters\/[^/]+\/sending$)/,
};

/** Every change is logged there too. */
const ACTIVITY = /^\/api\/admin\/activity\b/;

/** True if an answer at this address may hold rows of the table. */
export function isReadOf(table: string, url: unknown): boolean {
  if (typeof url !== "string") return false;
  const reads = READS_OF[table];
  return reads !== undefined && (reads.test(url) || ACTIVITY.test(url));
}

/** Updates the cached read with the rows of these keys. Resolves to false if the whole read has to be made again. */
export type CatchUp = (
  client: QueryClient,
  read: Query,
  keys: ReadonlySet<string>,
) => Promise<boolean>;

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { catchUp?: CatchUp };
  }
}
