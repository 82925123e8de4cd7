import { useHydrated } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Grooves } from "./Grooves.tsx";
import { type PictureSizes, pictureSources } from "./pictureSources.ts";

/** A row with a picture, as the server sends it. */
export interface Pictured {
  id?: string;
  image_url?: string | null | undefined;
  cover_image_url?: string | null;
  image_small_url?: string | null;
  image_sizes?: PictureSizes | null | undefined;
  image_width?: number | null;
  image_height?: number | null;
}

interface PictureProps {
  of: Pictured | undefined;
  alt: string;
  /** Of the grooves shown without a picture; the row's id by default. */
  seed?: string;
  sizes: string;
  /** True for pictures in sight at once; others load when near. */
  isFirst?: boolean;
  /** True in lists: animated pictures stand still there. */
  isStill?: boolean;
  /** Shown in place of the grooves, if those could be taken for a picture. */
  empty?: ReactNode;
  className?: string;
}

export function Picture({
  of = {},
  alt,
  seed = of.id ?? "",
  sizes,
  isFirst = false,
  isStill = false,
  empty,
  className = "",
}: PictureProps) {
  const { image_small_url: smallUrl, image_sizes: imageSizes } = of;
  const { image_width: width, image_height: height } = of;
  const url = of.image_url ?? of.cover_image_url;
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const isHydrated = useHydrated();
  useEffect(
    () => (brokenUrl === undefined ? undefined : untilItMayBeBack(() => setBrokenUrl(undefined))),
    [brokenUrl],
  );
  if (!url || url === brokenUrl) return empty ?? <Grooves seed={seed} className={className} />;
  /** A picture of a painted page may have failed before hydration. */
  const noticeFailed = (image: HTMLImageElement | null) => {
    if (image?.complete && image.currentSrc && image.naturalWidth === 0) setBrokenUrl(url);
  };
  const { avif, src, srcSet } = pictureSources({ url, smallUrl, width, imageSizes }, isStill);
  return (
    <picture className="contents">
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        ref={isHydrated ? undefined : noticeFailed}
        src={src}
        srcSet={srcSet}
        sizes={srcSet ? sizes : undefined}
        width={width ?? undefined}
        height={height ?? undefined}
        alt={alt}
        loading={isFirst ? "eager" : "lazy"}
        fetchPriority={isFirst ? "high" : "auto"}
        decoding={isFirst ? "auto" : "async"}
        onError={() => setBrokenUrl(url)}
        className={`bg-ground object-cover ${className}`}
      />
    </picture>
  );
}

/** A failed picture is not requested again sooner: it may be missing for good. */
const TRY_AGAIN_MS = 30_000;

/** Calls back once the browser is online or the page is visible again. Returns a function that ends the wait. */
function untilItMayBeBack(tryAgain: () => void): () => void {
  const failedAt = Date.now();
  const hear = () => {
    if (!document.hidden && Date.now() - failedAt >= TRY_AGAIN_MS) tryAgain();
  };
  window.addEventListener("online", hear);
  document.addEventListener("visibilitychange", hear);
  return () => {
    window.removeEventListener("online", hear);
    document.removeEventListener("visibilitychange", hear);
  };
}
