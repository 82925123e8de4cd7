// Placeholders for content that is loading: hairlines, no shimmer.

const WIDTHS = ["w-3/4", "w-full", "w-5/6", "w-2/3", "w-1/2"] as const;

/** Hairlines in place of text. Silent: the page announces that it is loading. */
export function SkeletonLines({ lines }: { lines: number }) {
  return (
    <span aria-hidden="true" className="flex flex-col gap-5 py-2">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <span key={line} className={`hairline-skeleton block ${WIDTHS[line % WIDTHS.length]}`} />
      ))}
    </span>
  );
}

/** In place of a whole part of a page. */
export function SkeletonBlock({ lines, className = "p-gutter" }: SkeletonBlockProps) {
  return (
    <div aria-busy="true" className={className}>
      <SkeletonLines lines={lines} />
    </div>
  );
}

interface SkeletonBlockProps {
  lines: number;
  className?: string;
}

export function SkeletonSquare() {
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" className="aspect-square w-full text-hairline">
      <rect
        x="0.25"
        y="0.25"
        width="99.5"
        height="99.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="0.5"
      />
      <circle cx="50" cy="50" r="49.5" fill="none" stroke="currentColor" strokeWidth="0.5" />
      <circle cx="50" cy="50" r="16" fill="none" stroke="currentColor" strokeWidth="0.5" />
    </svg>
  );
}

export function SkeletonSheet() {
  return (
    <div className="grid lg:grid-cols-12">
      <div className="lg:col-span-5">
        <SkeletonSquare />
      </div>
      <div className="px-gutter py-10 lg:col-span-7">
        <SkeletonLines lines={6} />
      </div>
    </div>
  );
}
