// A picture of the catalogue in its two sizes, or grooves in its place.
import { type ReactNode, useState } from "react";
import { SMALL_WIDTH } from "../rules/generated/constants.ts";
import { Grooves } from "./Grooves.tsx";

interface PictureProps {
  url: string | null | undefined;
  smallUrl: string | null | undefined;
  width: number | null | undefined;
  height: number | null | undefined;
  alt: string;
  /** What the grooves are cut from where there is no picture. */
  seed: string;
  /** How wide the picture is shown, as the `sizes` of an image. */
  sizes: string;
  /** True for what is in sight at once; everything else is loaded when it comes near. */
  isFirst?: boolean;
  /** Stands in place of the grooves, where those could be taken for a picture. */
  empty?: ReactNode;
  className?: string;
}

export function Picture({
  url,
  smallUrl,
  width,
  height,
  alt,
  seed,
  sizes,
  isFirst = false,
  empty,
  className = "",
}: PictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (!url || url === brokenUrl) return empty ?? <Grooves seed={seed} className={className} />;
  const fullWidth = width ?? SMALL_WIDTH * 2;
  return (
    <img
      src={smallUrl ?? url}
      srcSet={
        smallUrl
          ? `${smallUrl} ${Math.min(SMALL_WIDTH, fullWidth)}w, ${url} ${fullWidth}w`
          : undefined
      }
      sizes={smallUrl ? sizes : undefined}
      width={width ?? undefined}
      height={height ?? undefined}
      alt={alt}
      loading={isFirst ? "eager" : "lazy"}
      fetchPriority={isFirst ? "high" : "auto"}
      decoding={isFirst ? "auto" : "async"}
      onError={() => setBrokenUrl(url)}
      className={`bg-ground object-cover ${className}`}
    />
  );
}
