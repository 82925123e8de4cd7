// Which reads are made from which table. Rows never travel with an event: the reads are asked again.

/** The tables that the stream tells of, and the addresses whose answers hold their rows. */
const READS_OF: Readonly<Record<string, RegExp>> = {
  // The library says of each file which rows show it: it is made from their tables too.
  releases: /^\/api\/(?:admin\/(?:releases|catalog-numbers|media)|releases|artists)\b/,
  artists: /^\/api\/(?:(?:admin\/)?(?:releases|artists|artist-choices)|admin\/media)\b/,
  site_content: /^\/api\/(?:admin\/)?content\b/,
  site_images: /^\/api\/(?:(?:admin\/)?site-images|admin\/media)\b/,
  maintenance_settings: /^\/api\/maintenance\b/,
  // These are told to admins alone.
  store_products: /^\/api\/admin\/(?:products|media)\b/,
  media_files: /^\/api\/admin\/media\b/,
  unpublished_releases: /^\/api\/admin\/(?:releases|catalog-numbers|media)\b/,
  unpublished_artists: /^\/api\/admin\/(?:releases|artists|artist-choices|media)\b/,
  trash: /^\/api\/admin\/trash\b/,
  demos: /^\/api\/admin\/(?:demos|desk)\b/,
  newsletter_subscriptions: /^\/api\/admin\/newsletter\b/,
};

/** Whatever people change is noted there too. */
const ACTIVITY = /^\/api\/admin\/activity\b/;

/** True where an answer under this address may hold rows of the table. */
export function isReadOf(table: string, url: unknown): boolean {
  if (typeof url !== "string") return false;
  const reads = READS_OF[table];
  return reads !== undefined && (reads.test(url) || ACTIVITY.test(url));
}
