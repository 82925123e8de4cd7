// The calls, texts and form of releases.
import type { Schemas } from "../../../api/client.ts";
import type { ReleaseInputs } from "../../../rules/forms/inputs.ts";
import { fieldText } from "../fieldText.ts";
import { inZone } from "../labelTime.ts";
import { type OptionsOf, ordersBy } from "../lists/useRows.ts";
import {
  asText,
  callsOf,
  type EditableResourceConfig,
  messagesOf,
} from "../resource/resourceConfig.ts";

export type Release = Schemas["EditableRelease"];

export const ADDRESSES = [
  "spotify_url",
  "soundcloud_url",
  "apple_music_url",
  "youtube_url",
  "bandcamp_url",
] as const;

const TEXTS = [
  "title",
  "artist_id",
  "catalog",
  "release_date",
  "description",
  "cover_image_url",
  ...ADDRESSES,
  "format",
  "goes_out_at",
] as const;

export type ReleaseState = keyof typeof PUBLISH;

const PUBLISH = { out: "now", scheduled: "on_date", draft: "not_yet" } as const;

export type ReleaseForm = ReleaseInputs;

const publishOf = ({ state }: Release) => PUBLISH[state as ReleaseState];

export const PUBLISH_CHOICES = [
  ["now", "Now"],
  ["on_date", "On a date"],
  ["not_yet", "Not yet"],
] as const;

export const releaseConfig: EditableResourceConfig<Release, ReleaseForm, Schemas["ReleaseBody"]> = {
  ...callsOf("/api/admin/releases"),
  trash: "release",
  options: {
    orders: [
      ...ordersBy("title", "Title"),
      ["artist", "Artist"],
      ["catalog", "Catalog, first"],
      ["-catalog", "Catalog, last"],
      ["-date", "Release date, newest"],
      ["date", "Release date, oldest"],
      ["-changed", "Changed last"],
    ],
    states: [
      ["draft", "Drafts"],
      ["scheduled", "Scheduled"],
      ["out", "Out"],
    ],
  } satisfies OptionsOf<"/api/admin/releases">,
  versions: "release",
  messages: messagesOf("release", "load_failed"),
  nameOf: ({ title }) => title,
  check: (rules, form) => rules.checkRelease(form),
  unchecked: (form) => ({
    ...form,
    artist_id: form.artist_id || null,
    goes_out_at: form.publish === "on_date" ? form.goes_out_at : null,
  }),
  blank: { ...asText({}, TEXTS), tracks: [], credits: [], publish: "now", featured: false },
  formOf: (release) => ({
    ...asText(release, TEXTS),
    tracks: release.tracks.map(({ position, title, artist, duration_label }) => ({
      position: position ?? "",
      title,
      artist: artist ?? "",
      duration_seconds: duration_label ?? "",
    })),
    credits: release.credits,
    publish: publishOf(release),
    featured: release.featured,
  }),
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
    format: "Format",
    tracks: "Tracks",
    credits: "Credits",
    publish: "Publish",
    goes_out_at: "Goes Out",
  },
  readable: {
    artist_id: ({ artist }) => fieldText(artist?.name),
    publish: (release) => fieldText(new Map(PUBLISH_CHOICES).get(publishOf(release))),
    goes_out_at: ({ goes_out_at: at }, zone) => (at ? inZone(at, zone) : fieldText(at)),
  },
  rowNames: { tracks: "Track", credits: "Credit" },
};
