import { siApplemusic, siInstagram, siSoundcloud, siSpotify, siX, siYoutube } from "simple-icons";

/** A globe, for the link without a brand. */
const GLOBE =
  "M12 0a12 12 0 1 0 0 24 12 12 0 0 0 0-24Zm-1.2 2.4v8.4H6.3c.3-4 1.9-7.2 4.5-8.4Zm2.4 0c2.6 1.2 4.2 4.4 4.5 8.4h-4.5V2.4ZM7.3 3.6C5.5 5.4 4.3 7.9 4.1 10.8H2.5c.3-3.1 2.200-5.800 4.800-7.200Zm9.4 0c2.6 1.4 4.5 4.1 4.8 7.2h-1.6c-.2-2.900-1.400-5.400-3.200-7.200ZM2.500 13.200h1.600c.2 2.900 1.400 5.400 3.200 7.200a9.700 9.700 0 0 1-4.800-7.200Zm3.800 0h4.500v8.400c-2.600-1.200-4.200-4.400-4.500-8.400Zm6.900 0h4.500c-.3 4-1.900 7.200-4.500 8.400v-8.400Zm6.700 0h1.600a9.700 9.700 0 0 1-4.800 7.200c1.800-1.800 3-4.300 3.200-7.200Z";

const PATHS = {
  spotify: siSpotify.path,
  soundcloud: siSoundcloud.path,
  instagram: siInstagram.path,
  youtube: siYoutube.path,
  apple_music: siApplemusic.path,
  website: GLOBE,
  twitter: siX.path,
} as const;

export type Brand = keyof typeof PATHS;

export function BrandIcon({ brand }: { brand: Brand }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-4.5" fill="currentColor">
      <path d={PATHS[brand]} />
    </svg>
  );
}
