// Failures of an upload other than refusals. Separate, so that naming them loads no client.

export class UploadCancelled extends Error {}

export class FileUnreadable extends Error {}
