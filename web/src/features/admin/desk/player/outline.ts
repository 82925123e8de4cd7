// The outline of a waveform as an SVG path, mirrored at the middle.

/** In units of the drawing, which is as wide as it has points. */
export const OUTLINE_HEIGHT = 256;

const LEAST = 1;

/** At most `most` peaks, each the highest of its stretch. */
export function thinned(peaks: readonly number[], most: number): readonly number[] {
  if (peaks.length <= most) return peaks;
  return Array.from({ length: most }, (_, point) => {
    const from = Math.floor((point * peaks.length) / most);
    const to = Math.floor(((point + 1) * peaks.length) / most);
    return Math.max(...peaks.slice(from, to));
  });
}

export function outlineOf(peaks: readonly number[]): string {
  if (peaks.length === 0) return "";
  const middle = OUTLINE_HEIGHT / 2;
  const half = (peak: number) => Math.max(LEAST, peak / 2);
  const above = peaks.map((peak, at) => `${at + 0.5} ${middle - half(peak)}`);
  const below = peaks.map((peak, at) => `${at + 0.5} ${middle + half(peak)}`).reverse();
  return `M0 ${middle}L${above.join("L")}L${peaks.length} ${middle}L${below.join("L")}Z`;
}
