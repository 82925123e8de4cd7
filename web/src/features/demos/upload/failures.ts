// Failures of an upload other than refusals. Separate, so that naming them loads no client.

export class UploadCancelled extends Error {}

/** The file changed, moved or vanished during the upload. */
export class FileUnreadable extends Error {}
