// Generated pictures for things without one: grooves, cut from a seed, always the same for the same thing.

interface Cut {
  /** Each groove is a ring around the origin. */
  path: string;
  width: number;
  /** Lengths of cuts and gaps; undefined for continuous grooves. */
  dashes: string | undefined;
}

/** A small seeded generator (mulberry32): pictures must not change between visits. */
export function seeded(text: string): () => number {
  let state = 0x9e3779b9;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x85ebca6b);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Kinds of grooves on a disc, and how many of them are continuous. */
const KINDS = 5;
const RUN_THROUGH = 2;
/** Half of the viewBox. Large, so that all numbers are whole: the engine that paints pages writes fractions slowly. */
const HALF = 5000;
/** Cuts and gaps as fractions of a groove in the middle of a disc. */
const CUTS = [0.08, 0.02, 0.21, 0.015, 0.12];
const MIDDLE = 2 * Math.PI * 0.86 * HALF;

/** A cache for the discs of two lists. */
const discs = new Map<string, Cut[]>();
const KEPT = 100;

/** Few paths with many rings each, as a list can show fifty discs. */
function grooves(seed: string): Cut[] {
  let cuts = discs.get(seed);
  if (!cuts) {
    if (discs.size === KEPT) discs.clear();
    cuts = cutGrooves(seed);
    discs.set(seed, cuts);
  }
  return cuts;
}

function cutGrooves(seed: string): Cut[] {
  const next = seeded(seed);
  const cuts = Array.from({ length: KINDS }, (_, kind) => ({
    path: "",
    width: Math.round(12 + next() ** 3 * 75),
    dashes:
      kind < RUN_THROUGH
        ? undefined
        : CUTS.map((part) => Math.round(MIDDLE * part * (0.4 + next()))).join(" "),
  }));
  const pitch = 110 + next() * 90;
  for (let radius = 1500 + next() * 400; radius < 7100; radius += pitch * (0.6 + next())) {
    const cut = cuts[Math.floor(next() * KINDS)];
    if (cut) cut.path += ring(Math.round(radius), next() * Math.PI);
  }
  return cuts.filter(({ path }) => path !== "");
}

function ring(radius: number, angle: number): string {
  const x = Math.round(radius * Math.cos(angle));
  const y = Math.round(radius * Math.sin(angle));
  const half = `a${radius} ${radius} 0 0 1 `;
  return `M${x} ${y}${half}${-2 * x} ${-2 * y}${half}${2 * x} ${2 * y}`;
}

export function Grooves({ seed, className = "" }: { seed: string; className?: string }) {
  return <Disc seed={seed} className={`bg-ground text-ink ${className}`} />;
}

/** The same rings, faint and oversized, behind a page with few words. */
export function GroovesBehind({ seed, className = "" }: { seed: string; className?: string }) {
  return (
    <Disc
      seed={seed}
      className={`pointer-events-none absolute aspect-square overflow-visible text-hairline ${className}`}
    />
  );
}

function Disc({ seed, className }: { seed: string; className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`}
      preserveAspectRatio="xMidYMid slice"
      className={className}
      fill="none"
      stroke="currentColor"
    >
      {grooves(seed).map(({ path, width, dashes }) => (
        <path key={path} d={path} strokeWidth={width} strokeDasharray={dashes} />
      ))}
      <circle r="140" fill="currentColor" stroke="none" />
    </svg>
  );
}
