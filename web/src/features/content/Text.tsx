import { SkeletonLines } from "../../ui/Skeleton.tsx";

export function Text({ value, lines = 1 }: { value: string | undefined; lines?: number }) {
  return value === undefined ? (
    <SkeletonLines lines={lines} />
  ) : (
    <span dir="auto" className="whitespace-pre-line">
      {value}
    </span>
  );
}
