// The files of a picture that a browser may choose from. The server preloads a page's first picture by the same strings
// (`pages/pictures.rs`), so that it is loaded once.
import { SMALL_WIDTH } from "../rules/generated/constants.ts";

/** A picture in several widths: `{base}-{width}.avif`, and `{base}-{width}.{fallback}`. */
export interface PictureSizes {
  base: string;
  widths: number[];
  fallback: string;
  moving: boolean;
}

interface StoredPicture {
  url: string;
  smallUrl: string | null | undefined;
  width: number | null | undefined;
  /** Undefined until it is made, and for pictures of other sites. */
  imageSizes: PictureSizes | null | undefined;
}

interface PictureSources {
  avif?: string | undefined;
  src: string;
  srcSet?: string | undefined;
}

/** The files of a picture; for an animated one the original, unless it must stand still. */
export function pictureSources(
  { url, smallUrl, width, imageSizes }: StoredPicture,
  isStill: boolean,
): PictureSources {
  const fullWidth = width ?? SMALL_WIDTH * 2;
  if (!imageSizes) {
    if (!smallUrl) return { src: url };
    const srcSet = `${smallUrl} ${Math.min(SMALL_WIDTH, fullWidth)}w, ${url} ${fullWidth}w`;
    return { src: smallUrl, srcSet };
  }
  if (imageSizes.moving && !isStill) return { src: url };
  const { base, widths, fallback } = imageSizes;
  const all = (extension: string) =>
    widths.map((size) => `${base}-${size}.${extension} ${size}w`).join(", ");
  const widest = widths.at(-1) ?? 0;
  const isMore = url.endsWith(".avif") && !imageSizes.moving && fullWidth > widest;
  return {
    avif: isMore ? `${all("avif")}, ${url} ${fullWidth}w` : all("avif"),
    src: `${base}-${widths.findLast((size) => size <= SMALL_WIDTH) ?? widest}.${fallback}`,
    srcSet: all(fallback),
  };
}
