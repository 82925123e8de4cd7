// How a release becomes a form and back.
import { asText, type Kind, type Schemas } from "../editing/kind.ts";

export type Release = Schemas["EditableRelease"];

const TEXTS = [
  "title",
  "artist_id",
  "catalog",
  "release_date",
  "description",
  "cover_image_url",
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "bandcamp_url",
] as const;

export type ReleaseForm = Record<(typeof TEXTS)[number], string> & { featured: boolean };

export const releaseKind: Kind<Release, ReleaseForm> = {
  path: "/api/admin/releases",
  words: {
    loadFailed: "load_failed",
    created: "release_created",
    createFailed: "release_create_failed",
    updated: "release_updated",
    updateFailed: "release_update_failed",
    deleted: "release_deleted",
    deleteFailed: "release_delete_failed",
  },
  check: (rules, form) => rules.checkRelease(form),
  unchecked: (form) => ({ ...form, artist_id: form.artist_id || null }),
  blank: { ...asText({}, TEXTS), featured: false },
  formOf: (release) => ({ ...asText(release, TEXTS), featured: release.featured }),
  labels: {
    title: "Title",
    artist_id: "Artist",
    catalog: "Catalog",
    release_date: "Release Date",
    description: "Description",
    cover_image_url: "Cover Image URL",
    featured: "Featured",
    spotify_url: "Spotify URL",
    soundcloud_url: "SoundCloud URL",
    apple_music_url: "Apple Music URL",
    youtube_url: "YouTube URL",
    bandcamp_url: "Bandcamp URL",
  },
};
