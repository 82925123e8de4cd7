// Why nothing is heard, in words.
import type { Trouble } from "./trouble.ts";

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
