// Lets one page at a time send an upload: a duplicated tab remembers the same one.

/**
 * Whether this page owns the upload. If so, it keeps it until `until` settles or the page ends. True without browser
 * locks; the server takes no byte twice anyway.
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
