// Pictures drawn here, for where the label has none: grooves, cut from a seed, always the same
// for the same thing.

interface Groove {
  radius: number;
  width: number;
  /** Cut and gap lengths along the groove; undefined where it runs through. */
  dashes: string | undefined;
  turn: number;
}

/** A small seeded generator (mulberry32): drawings must not change between visits. */
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

function cutGrooves(seed: string): Groove[] {
  const next = seeded(seed);
  const grooves: Groove[] = [];
  const pitch = 1.1 + next() * 0.9;
  for (let radius = 15 + next() * 4; radius < 71; radius += pitch * (0.6 + next())) {
    const isCut = next() < 0.72;
    const length = 2 * Math.PI * radius;
    grooves.push({
      radius: round(radius),
      width: round(0.12 + next() ** 3 * 0.75),
      dashes: isCut
        ? [0.08, 0.02, 0.21, 0.015, 0.12]
            .map((part) => round(length * part * (0.4 + next())))
            .join(" ")
        : undefined,
      turn: Math.round(next() * 360),
    });
  }
  return grooves;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A square of etched rings, drawn from a seed. Decoration: what it stands for is named beside it. */
export function Grooves({ seed, className = "" }: { seed: string; className?: string }) {
  return <Disc seed={seed} className={`bg-ground text-ink ${className}`} />;
}

/** The same rings, faint and larger than their place: behind the words of a page that has few. */
export function GroovesBehind({ seed, className = "" }: { seed: string; className?: string }) {
  return (
    <Disc
      seed={seed}
      className={`pointer-events-none absolute aspect-square overflow-visible text-hairline ${className}`}
    />
  );
}

/** Around the origin, so that no groove says where its middle is: lists have thousands of them, and each word is painted. */
function Disc({ seed, className }: { seed: string; className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="-50 -50 100 100"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      fill="none"
      stroke="currentColor"
    >
      {cutGrooves(seed).map(({ radius, width, dashes, turn }) => (
        <circle
          key={radius}
          r={radius}
          strokeWidth={width}
          strokeDasharray={dashes}
          transform={dashes && `rotate(${turn})`}
        />
      ))}
      <circle r="1.4" fill="currentColor" stroke="none" />
    </svg>
  );
}
