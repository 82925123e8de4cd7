// Which upload this tab began last, so that the same file can go on after a reload. It is kept where the form's fields
// are kept, in the tab alone: the address of an upload is the right to end it, and the fields are personal.
import type { PreviousUpload, UrlStorage } from "tus-js-client";

const NAME = "deadwax.demo-upload";

interface Kept extends PreviousUpload {
  fingerprint: string;
}

export const lastUpload: UrlStorage = {
  findAllUploads: async () => found(),
  findUploadsByFingerprint: async (fingerprint) =>
    found().filter((upload) => upload.fingerprint === fingerprint),
  async addUpload(fingerprint, upload) {
    const urlStorageKey = upload.uploadUrl ?? fingerprint;
    write(JSON.stringify({ ...upload, fingerprint, urlStorageKey } satisfies Kept));
    return urlStorageKey;
  },
  async removeUpload(urlStorageKey) {
    if (found().some((upload) => upload.urlStorageKey === urlStorageKey)) write(null);
  },
};

function found(): Kept[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    return isKept(kept) ? [kept] : [];
  } catch {
    return [];
  }
}

function isKept(found: unknown): found is Kept {
  return (
    typeof found === "object" &&
    found !== null &&
    "fingerprint" in found &&
    "urlStorageKey" in found &&
    "uploadUrl" in found &&
    typeof found.uploadUrl === "string" &&
    "metadata" in found &&
    typeof found.metadata === "object" &&
    found.metadata !== null
  );
}

/** Storage may be refused; then only a reload has to begin anew. */
function write(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, text);
  } catch {
    // Nothing more can be done about it.
  }
}
