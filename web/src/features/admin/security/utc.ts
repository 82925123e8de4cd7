// Times of the backups in UTC, from RFC 3339 as the server writes it.

/** Such as 2026.11.26 03:41. */
export function utcMinute(at: string): string {
  return `${at.slice(0, 10).replaceAll("-", ".")} ${at.slice(11, 16)}`;
}

/** Such as 2026.11.26 03:41:07. */
export function utcSecond(at: string): string {
  return `${at.slice(0, 10).replaceAll("-", ".")} ${at.slice(11, 19)}`;
}
