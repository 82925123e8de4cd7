// Why nothing is heard, in words.

interface TroubleLineProps {
  trouble: Trouble | undefined;
  /** Where the file can be downloaded. */
  file: string;
  /** Whether it can only be Apple Lossless, which few browsers play. */
  isAlac?: boolean;
}

export function TroubleLine({ trouble, file, isAlac = false }: TroubleLineProps) {
  if (trouble === undefined) return null;
  return (
    <p role="alert" className="pt-2 text-[0.75rem] text-signal">
      {trouble === "missing" ? (
        "Its file is missing."
      ) : trouble === "unreachable" ? (
        "The server did not answer. Play tries again."
      ) : (
        <>
          {isAlac
            ? "This browser cannot play Apple Lossless (ALAC). Nothing is wrong with the file."
            : "This browser cannot play it."}{" "}
          <a href={file} download className="text-link">
            Download it to hear it.
          </a>
        </>
      )}
    </p>
  );
}

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
