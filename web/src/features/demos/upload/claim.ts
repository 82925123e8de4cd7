// One page at a time sends an upload: a tab that was duplicated remembers the same one.

/**
 * Whether this page has the upload to itself. If so it keeps it until `until` settles or the page goes. Where the
 * browser has no locks the answer is yes; the server takes no byte twice anyway.
 */
export function claim(url: string, until: Promise<unknown>): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(`deadwax.demo ${url}`, { ifAvailable: true }, async (lock) => {
        resolve(lock !== null);
        if (lock) await until;
      })
      .catch(() => resolve(true));
  });
}
