// The run-out: text etched where the music ends. Decoration, hidden from screen readers.

import { useQuery } from "@tanstack/react-query";
import { labelQuery } from "../../api/siteContent.ts";
import { useLabelName } from "../../ui/labelName.ts";

/** No catalogue number: not every page knows the label's. */
function useInscription(): string {
  const label = useLabelName();
  return `${label} ~ SIDE A ~ CUT AT −3 dB ~ 33 1/3 ~ THE MESSAGE IS SCRATCHED WHERE THE MUSIC ENDS ~ ${label} ~ SIDE B ~ 45 ~ LOCKED GROOVE ~ MASTERED TOO LATE AT NIGHT ~ `.repeat(
    2,
  );
}

/** Characters that cover the strip on the widest screens. */
const STRIP_CHARS = 400;

/** The strip under the navigation, with the label's own line if it has one. */
export function RunOutStrip() {
  const preset = useInscription();
  const own = useQuery(labelQuery).data?.ribbon;
  const inscription = own ? `${own} ~ `.repeat(Math.ceil(STRIP_CHARS / own.length)) : preset;
  return (
    <svg
      aria-hidden="true"
      className="block h-8 w-full flex-none select-none border-hairline border-b text-hairline"
      fill="currentColor"
    >
      <text y="20" className="type-etched translate-x-gutter">
        {inscription}
      </text>
    </svg>
  );
}

/** Radii of the lead-out, from the last modulated grooves in to the locked one. */
const LEAD_OUT = [
  1990, 1987.5, 1985.5, 1982, 1980.5, 1977, 1975.5, 1973, 1969.5, 1968, 1964, 1956, 1938, 1902,
  1860, 1857,
] as const;

/** The end of every page: the last grooves of a side, its lead-out and what is scratched there. */
export function DeadWax() {
  const inscription = useInscription();
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1440 190"
      preserveAspectRatio="xMidYMin slice"
      className="block h-36 w-full select-none text-hairline lg:h-48"
      fill="none"
      stroke="currentColor"
    >
      {LEAD_OUT.map((radius, index) => (
        <circle
          key={radius}
          cx="720"
          cy="1996"
          r={radius}
          strokeWidth={index % 3 === 1 ? 1.6 : 0.8}
        />
      ))}
      <path id="matrix" d="M-400 417A1916 1916 0 0 1 1840 417" stroke="none" />
      <text className="type-etched" fill="currentColor" stroke="none">
        <textPath href="#matrix" startOffset="4%">
          {inscription}
        </textPath>
      </text>
    </svg>
  );
}
