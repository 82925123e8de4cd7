// How an artist becomes a form and back.
import { call, type Schemas } from "../../../api/client.ts";
import type { ArtistInputs } from "../../../rules/forms/inputs.ts";
import { withRules } from "../../../rules/rules.ts";
import { rowsOf } from "../lists/rowsCalls.ts";
import { asText, ifMatch, type ResourceConfig } from "../resource/resourceConfig.ts";

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

export type ArtistForm = ArtistInputs;

/** What is sent of a form: what the rules make of it, and where they are not there, what was typed. */
function bodyOf(form: ArtistForm): Schemas["ArtistBody"] {
  return withRules((rules) => rules.checkArtist(form))?.value ?? form;
}

export const artistConfig: ResourceConfig<Artist, ArtistForm> = {
  path: "/api/admin/artists",
  list: rowsOf("/api/admin/artists"),
  remove: (id) => call("DELETE", "/api/admin/artists/{id}", { params: { path: { id } } }),
  show: (id, signal) =>
    call("GET", "/api/admin/artists/{id}", { params: { path: { id } }, signal }),
  add: (form) => call("POST", "/api/admin/artists", { body: bodyOf(form) }),
  change: (row, form) =>
    call("PUT", "/api/admin/artists/{id}", {
      params: { path: { id: row.id }, header: ifMatch(row) },
      body: bodyOf(form),
    }),
  messages: {
    loadFailed: "artists_load_failed",
    created: "artist_created",
    createFailed: "artist_create_failed",
    updated: "artist_updated",
    updateFailed: "artist_update_failed",
    deleted: "artist_deleted",
    deleteFailed: "artist_delete_failed",
  },
  check: (rules, form) => rules.checkArtist(form),
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
