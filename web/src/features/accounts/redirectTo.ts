/** The address of a page, for calls that send a mailed link. The server decides by itself where links lead. */
export function redirectTo(path: "/auth/callback" | "/profile"): string {
  return new URL(path, globalThis.location.origin).href;
}
