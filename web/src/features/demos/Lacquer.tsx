// The record a demo is cut into: blank without a file, cut from the rim inwards as the bytes arrive. Every file has
// different grooves. Decoration, hidden from screen readers.
import { useMemo } from "react";
import { seeded } from "../../ui/Grooves.tsx";

const RINGS = 26;
const RIM = 48;
/** The run-out inside of it is never cut. */
const RUN_OUT = 19;

interface LacquerProps {
  seed: string;
  cut: number;
  isCutting?: boolean;
  className?: string;
}

export function Lacquer({ seed, cut, isCutting = false, className = "" }: LacquerProps) {
  const rings = useMemo(() => ringsOf(seed), [seed]);
  const turns = Math.min(Math.max(cut, 0), 1) * RINGS;
  const done = Math.floor(turns);
  const current = rings[done];
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      fill="none"
      stroke="currentColor"
      className={className}
    >
      {rings.map(({ radius, width }, index) => (
        <circle
          key={radius}
          cx="50"
          cy="50"
          r={radius}
          strokeWidth={index < done ? width : 0.3}
          className={index < done ? "text-ink" : "text-dim/35"}
        />
      ))}
      {current && turns > 0 && (
        <circle
          cx="50"
          cy="50"
          r={current.radius}
          strokeWidth={current.width}
          pathLength={1}
          strokeDasharray={`${turns - done} 1`}
          transform="rotate(-90 50 50)"
          className="text-ink"
        />
      )}
      {isCutting && current && (
        <rect
          x="48.2"
          y={48.2 - current.radius}
          width="3.6"
          height="3.6"
          stroke="none"
          fill="currentColor"
          transform={`rotate(${(turns - done) * 360} 50 50)`}
          className="text-signal"
        />
      )}
      <circle cx="50" cy="50" r={RUN_OUT - 2.5} strokeWidth="0.25" className="text-dim" />
    </svg>
  );
}

function ringsOf(seed: string): { radius: number; width: number }[] {
  const next = seeded(seed);
  const pitch = (RIM - RUN_OUT) / (RINGS - 1);
  return Array.from({ length: RINGS }, (_, index) => ({
    radius: Math.round((RIM - index * pitch) * 100) / 100,
    width: Math.round((0.2 + next() ** 2 * 0.75) * 100) / 100,
  }));
}
