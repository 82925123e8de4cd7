import { useMemo } from "react";

interface WaveformProps {
  peaks: readonly number[];
  passed?: number;
  most?: number;
}

export function Waveform({ peaks, passed = 0, most = 1_000 }: WaveformProps) {
  const [path, width] = useMemo(() => {
    const points = thinned(peaks, most);
    return [outlineOf(points), points.length];
  }, [peaks, most]);
  return (
    <>
      <Drawing path={path} width={width} ink="text-dim/60" />
      {passed > 0 && <Drawing path={path} width={width} ink="text-ink" passed={passed} />}
    </>
  );
}

interface DrawingProps {
  path: string;
  width: number;
  ink: string;
  passed?: number;
}

function Drawing({ path, width, ink, passed = 1 }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${OUTLINE_HEIGHT}`}
      preserveAspectRatio="none"
      className={`waveform absolute inset-0 size-full fill-current ${ink}`}
      style={{ clipPath: `inset(0 ${100 - passed * 100}% 0 0)` }}
    >
      <path d={path} />
    </svg>
  );
}

/** In units of the drawing, which is as wide as it has points. */
const OUTLINE_HEIGHT = 256;

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
