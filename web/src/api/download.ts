// Files the server makes on demand: the whole file or an `ApiError`, never half of one.
import { apiError, heed, parseJson, refusal, send } from "./client.ts";

/** A list of everybody takes longer than an answer to a click. */
const DOWNLOAD_TIMEOUT_MS = 120_000;

interface Download {
  file: Blob;
  /** As the server names it. */
  name: string;
}

export async function download(path: `/api/${string}`): Promise<Download> {
  try {
    const response = await send("GET", path, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
    if (!response.ok) {
      throw heed(refusal(response.status, parseJson(await response.text()), response.headers));
    }
    const disposition = response.headers.get("content-disposition") ?? "";
    const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? path.split("/").at(-1) ?? "";
    return { file: await response.blob(), name };
  } catch (cause) {
    throw apiError(cause);
  }
}
