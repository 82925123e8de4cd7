// The app's own code comes in parts. What could not be fetched may be there later, unless the server has a newer version.

/** The server did not answer: the same fetch may succeed once it is back. */
export class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

/** Later than this the server counts as gone. */
const PROBE_TIMEOUT_MS = 5_000;

/** Whether the server answers at all just now. */
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
 * Fetches a part of the app by a dynamic import. Throws `ServerUnreachable` where nothing answers, and what the import
 * threw where the server answers and still has not got it: it has another version of the app by then.
 */
export async function fetchCode<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    if (!(await doesServerAnswer())) {
      throw new ServerUnreachable("the server did not answer", { cause });
    }
    // It was away for a moment alone.
    return load();
  }
}
