// Fetching parts of the app. A failed fetch may succeed later, unless the server has a newer version.

/** The server did not answer: the same fetch may succeed once it is back. */
export class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

const PROBE_TIMEOUT_MS = 5_000;

export async function doesServerAnswer(): Promise<boolean> {
  try {
    const response = await fetch(new URL("/livez", globalThis.location.origin), {
      cache: "no-store",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Fetches a part of the app by a dynamic import. Throws `ServerUnreachable` if nothing answers, and the import's error
 * if the server answers without the part: then it has another version of the app.
 */
export async function fetchCode<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    if (!(await doesServerAnswer())) {
      throw new ServerUnreachable("the server did not answer", { cause });
    }
    return load();
  }
}
