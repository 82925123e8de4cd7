// Files the server makes on demand: the whole file or an `ApiError`, never half of one.
import { apiError, refusal } from "./client.ts";

/** A list of everybody takes longer than an answer to a click. */
const DOWNLOAD_TIMEOUT_MS = 120_000;

interface Download {
  file: Blob;
  /** As the server names it. */
  name: string;
}

export async function download(path: `/api/${string}`): Promise<Download> {
  try {
    const response = await globalThis.fetch(new URL(path, globalThis.location.origin), {
      signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    });
    if (!response.ok) {
      const body = await response.json().catch(() => undefined);
      throw refusal(response.status, body, response.headers);
    }
    const disposition = response.headers.get("content-disposition") ?? "";
    const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? path.split("/").at(-1) ?? "";
    return { file: await response.blob(), name };
  } catch (cause) {
    throw apiError(cause);
  }
}
