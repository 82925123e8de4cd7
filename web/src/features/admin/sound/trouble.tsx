interface TroubleLineProps {
  trouble: Trouble | undefined;
  file: string;
  /** It can only be Apple Lossless, which few browsers play. */
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

export type Trouble = "missing" | "unreachable" | "unplayable";

/** `MediaError.MEDIA_ERR_NETWORK` */
const NETWORK_ERROR = 2;

const ANSWER_MS = 10_000;

/** A player does not tell why it failed; the server tells whether the file exists. */
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

/** 3:12, or 1:03:12 from an hour on; rounded down. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  if (whole < 3_600) return `${minutes}:${rest}`;
  return `${Math.floor(whole / 3_600)}:${String(minutes).padStart(2, "0")}:${rest}`;
}
