// Which reads are made from which table. Rows never travel with an event: the reads are asked again.

/** The tables that visitors hear about, and the addresses whose answers hold their rows. */
const READS_OF: Readonly<Record<string, RegExp>> = {
  releases: /^\/api\/(?:releases|artists)\b/,
  artists: /^\/api\/(?:releases|artists)\b/,
  site_content: /^\/api\/content\b/,
  site_images: /^\/api\/site-images\b/,
  maintenance_settings: /^\/api\/maintenance\b/,
};

/** True where an answer under this address may hold rows of the table. */
export function isReadOf(table: string, url: unknown): boolean {
  return typeof url === "string" && (READS_OF[table]?.test(url) ?? false);
}
