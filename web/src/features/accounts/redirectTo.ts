// Where the links of mails lead, as the calls name it that have one sent.

/** The address of a page. The server decides by itself where links lead. */
export function redirectTo(path: "/auth/callback" | "/profile"): string {
  return new URL(path, globalThis.location.origin).href;
}
