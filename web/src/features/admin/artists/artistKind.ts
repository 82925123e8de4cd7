// How an artist becomes a form and back.
import { asText, type Kind, type Schemas } from "../editing/kind.ts";

export type Artist = Schemas["EditableArtist"];

const TEXTS = [
  "name",
  "bio",
  "image_url",
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "instagram_url",
] as const;

export type ArtistForm = Record<(typeof TEXTS)[number] | "website" | "twitter", string> & {
  featured: boolean;
};

export const artistKind: Kind<Artist, ArtistForm> = {
  path: "/api/admin/artists",
  words: {
    loadFailed: "artists_load_failed",
    created: "artist_created",
    createFailed: "artist_create_failed",
    updated: "artist_updated",
    updateFailed: "artist_update_failed",
    deleted: "artist_deleted",
    deleteFailed: "artist_delete_failed",
  },
  check: (rules, form) => rules.checkArtist(form),
  unchecked: (form) => form,
  blank: { ...asText({}, [...TEXTS, "website", "twitter"] as const), featured: false },
  formOf: (artist) => ({
    ...asText(artist, TEXTS),
    ...asText(artist.social_links, ["website", "twitter"] as const),
    featured: artist.featured,
  }),
  labels: {
    name: "Name",
    bio: "Bio",
    image_url: "Image URL",
    featured: "Featured",
    spotify_url: "Spotify URL",
    soundcloud_url: "SoundCloud URL",
    apple_music_url: "Apple Music URL",
    youtube_url: "YouTube URL",
    instagram_url: "Instagram URL",
    website: "Website",
    twitter: "Twitter",
  },
};
