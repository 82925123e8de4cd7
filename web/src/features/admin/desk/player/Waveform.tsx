import { useMemo } from "react";
import { OUTLINE_HEIGHT, outlineOf, thinned } from "./outline.ts";

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
