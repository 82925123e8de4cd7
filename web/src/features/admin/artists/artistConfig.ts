// The calls, texts and form of artists.
import { call, type Schemas } from "../../../api/client.ts";
import type { ArtistInputs } from "../../../rules/forms/inputs.ts";
import { type OptionsOf, rowsOf } from "../lists/useRows.ts";
import { asText, type EditableResourceConfig, ifMatch } from "../resource/resourceConfig.ts";

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

const OPTIONS: OptionsOf<"/api/admin/artists"> = {
  orders: [
    { value: "-created", label: "Newest first" },
    { value: "created", label: "Oldest first" },
    { value: "name", label: "Name A to Z" },
    { value: "-name", label: "Name Z to A" },
    { value: "-changed", label: "Changed last" },
  ],
  states: [{ value: "featured", label: "Highlights" }],
};

export const artistConfig: EditableResourceConfig<Artist, ArtistForm, Schemas["ArtistBody"]> = {
  path: "/api/admin/artists",
  list: rowsOf("/api/admin/artists"),
  remove: (id) => call("DELETE", "/api/admin/artists/{id}", { path: { id } }),
  trash: "artist",
  options: OPTIONS,
  versions: "artist",
  show: (id, signal) => call("GET", "/api/admin/artists/{id}", { path: { id }, signal }),
  add: (body, headers) => call("POST", "/api/admin/artists", { body, headers }),
  change: (row, body) =>
    call("PUT", "/api/admin/artists/{id}", {
      path: { id: row.id },
      headers: ifMatch(row),
      body,
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
  nameOf: ({ name }) => name,
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
