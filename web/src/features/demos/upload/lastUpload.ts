// This tab's last upload, so that the same file can resume after a reload. It is kept in the tab alone: the upload's
// address is the right to end it, and the fields are personal.
import type { PreviousUpload, UrlStorage } from "tus-js-client";
import { createBrowserStore } from "../../../session/browserStore.ts";

interface Kept extends PreviousUpload {
  fingerprint: string;
}

const store = createBrowserStore(
  "deadwax.demo-upload",
  (found) => (isKept(found) ? found : null),
  "tab",
);

export const lastUpload: UrlStorage = {
  findAllUploads: async () => kept(),
  findUploadsByFingerprint: async (fingerprint) =>
    kept().filter((upload) => upload.fingerprint === fingerprint),
  async addUpload(fingerprint, upload) {
    const urlStorageKey = upload.uploadUrl ?? fingerprint;
    store.update(() => ({ ...upload, fingerprint, urlStorageKey }));
    return urlStorageKey;
  },
  async removeUpload(urlStorageKey) {
    if (kept().some((upload) => upload.urlStorageKey === urlStorageKey)) store.clear();
  },
};

function kept(): Kept[] {
  const last = store.get();
  return last ? [last] : [];
}

function isKept(found: unknown): found is Kept {
  const { fingerprint, urlStorageKey, uploadUrl, metadata } = Object(found) as Partial<Kept>;
  const areTexts = [fingerprint, urlStorageKey, uploadUrl].every(
    (part) => typeof part === "string",
  );
  return areTexts && typeof metadata === "object" && metadata !== null;
}

/**
 * Whether this page owns the upload. If so, it keeps it until `until` settles, except while it is kept for Back, where
 * some browsers leave it the lock. True without browser locks; the server takes no byte twice anyway.
 */
export async function claim(url: string, until: Promise<unknown>): Promise<boolean> {
  if (!navigator.locks) return true;
  const isOwned = await hold(url, until);
  if (isOwned) {
    const holdAgain = () => void hold(url, until);
    window.addEventListener("pageshow", holdAgain);
    void until.then(() => window.removeEventListener("pageshow", holdAgain));
  }
  return isOwned;
}

function hold(url: string, until: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    navigator.locks
      .request(`deadwax.demo ${url}`, { ifAvailable: true }, async (lock) => {
        resolve(lock !== null);
        if (!lock) return;
        const left = new Promise((hide) => {
          window.addEventListener("pagehide", hide, { once: true });
        });
        await Promise.race([until, left]);
      })
      .catch(() => resolve(true));
  });
}
