// How a release becomes a form and back.
import { call, type Schemas } from "../../../api/client.ts";
import type { ReleaseInputs } from "../../../rules/forms/inputs.ts";
import { rowsOf } from "../lists/rowsCalls.ts";
import { asText, type EditableResourceConfig, ifMatch } from "../resource/resourceConfig.ts";

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

export type ReleaseForm = ReleaseInputs;

export const releaseConfig: EditableResourceConfig<Release, ReleaseForm, Schemas["ReleaseBody"]> = {
  path: "/api/admin/releases",
  list: rowsOf("/api/admin/releases"),
  remove: (id) => call("DELETE", "/api/admin/releases/{id}", { params: { path: { id } } }),
  show: (id, signal) =>
    call("GET", "/api/admin/releases/{id}", { params: { path: { id } }, signal }),
  add: (body) => call("POST", "/api/admin/releases", { body }),
  change: (row, body) =>
    call("PUT", "/api/admin/releases/{id}", {
      params: { path: { id: row.id }, header: ifMatch(row) },
      body,
    }),
  messages: {
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
