// How an upload ends that was not refused. Apart from the rest, so that naming them loads no client.

/** The person gave it up. */
export class UploadCancelled extends Error {}

/** The file changed, moved or vanished while it was being sent. */
export class FileUnreadable extends Error {}
