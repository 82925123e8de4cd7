// Why a player has nothing to play.

/** The file is not there, the server did not answer, or the browser cannot read it. */
export type Trouble = "missing" | "unreachable" | "unplayable";

/** The code of a player whose file stopped coming (`MediaError.MEDIA_ERR_NETWORK`). */
const NETWORK_ERROR = 2;

/** The server has so long to say whether there is a file, in milliseconds. */
const ANSWER_MS = 10_000;

/** A player does not say why it has nothing to play; the server knows whether there is a file. */
export async function troubleWith(source: string, player: HTMLAudioElement): Promise<Trouble> {
  const wasCutOff = player.error?.code === NETWORK_ERROR;
  try {
    const { ok, status } = await fetch(source, {
      headers: { range: "bytes=0-0" },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (status === 404 || status === 410) return "missing";
    return ok && !wasCutOff ? "unplayable" : "unreachable";
  } catch {
    return "unreachable";
  }
}
