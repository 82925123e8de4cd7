// The label as pages begin with it: its mark, its name, or both.
import { useLabelMark, useLabelName } from "./labelName.ts";

/** Room for the mark in pixels, within a header of 56 pixels. */
const ALONE = [184, 40] as const;
const BESIDE_NAME = [112, 32] as const;

export function Wordmark() {
  const label = useLabelName();
  const mark = useLabelMark();
  if (!mark) return label;
  const [width, height] = fitted(mark, mark.has_name ? BESIDE_NAME : ALONE);
  return (
    <span className="flex min-w-0 items-center gap-3">
      <img
        src={mark.url}
        alt={mark.has_name ? "" : label}
        width={width}
        height={height}
        className={`h-auto min-w-0 max-w-full ${mark.has_name ? "shrink-0" : ""}`}
      />
      {mark.has_name && <span className="line-clamp-2 min-w-0">{label}</span>}
    </span>
  );
}

/** As large as fits into the room. */
export function fitted(
  of: { width: number; height: number },
  [width, height]: readonly [number, number],
): readonly [number, number] {
  const scale = Math.min(width / of.width, height / of.height);
  return [Math.round(of.width * scale), Math.round(of.height * scale)];
}
