// A QR code, drawn as one path: dark on light, as cameras expect. Loaded only for the set-up of a second factor.
import { encode } from "uqr";

/** The quiet zone in modules; with less than four, some cameras fail. */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: "M" });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`}
      shapeRendering="crispEdges"
      className="block aspect-square w-full bg-ink text-ground"
      fill="currentColor"
    >
      <path d={path} />
    </svg>
  );
}
