// A small label: artists, releases and texts in the API's format.
import type { Answer } from "../api/client.ts";

type Release = Answer<"GET", "/api/releases">["items"][number];
type ReleaseDetail = Answer<"GET", "/api/releases/{slug}">;
type Artist = Answer<"GET", "/api/artists/{id}">;

type Label = Answer<"GET", "/api/label">;

export function anArtist(changes: Partial<Artist> = {}): Artist {
  return {
    id: "019aa000-0000-7000-8000-000000000001",
    name: "Kesto Vann",
    bio: "Cuts records in a basement.",
    bio_label: "Cuts records in a basement.",
    image_url: null,
    image_small_url: null,
    image_sizes: null,
    image_width: null,
    image_height: null,
    spotify_url: null,
    soundcloud_url: null,
    instagram_url: null,
    youtube_url: null,
    apple_music_url: null,
    social_links: { website: null, twitter: null },
    release_count: 2,
    release_count_label: "2 RELEASES",
    ...changes,
  };
}

export function aRelease(changes: Partial<Release> = {}): Release {
  return {
    id: "019aa000-0000-7000-8000-00000000000a",
    slug: "404-019",
    title: "Dead Air Protocol",
    catalog: "404-019",
    release_date: "2026-10-02",
    date_label: "2026.10.02",
    description: "Four tracks cut hot.",
    cover_image_url: null,
    image_small_url: null,
    image_sizes: null,
    image_width: null,
    image_height: null,
    spotify_url: "https://open.spotify.com/album/one",
    soundcloud_url: "https://soundcloud.com/label/one",
    embed_url: "https://open.spotify.com/embed/album/one",
    catalog_label: "404-019",
    artist_id: "019aa000-0000-7000-8000-000000000001",
    artist: { id: "019aa000-0000-7000-8000-000000000001", name: "Kesto Vann" },
    ...changes,
  };
}

export function aReleaseDetail(changes: Partial<ReleaseDetail> = {}): ReleaseDetail {
  return {
    ...aRelease(),
    format: "12 inch",
    tracks: [
      {
        position: "A1",
        title: "Carrier",
        artist: null,
        duration_seconds: 372,
        duration_label: "6:12",
      },
      {
        position: null,
        title: "Dropout",
        artist: "Ava",
        duration_seconds: null,
        duration_label: null,
      },
    ],
    credits: [{ role: "Mastering", name: "Ada" }],
    apple_music_url: null,
    youtube_url: null,
    bandcamp_url: "https://label.bandcamp.com/album/one",
    older: { slug: "404-018", title: "Locked Groove" },
    newer: null,
    more_of_artist: [aRelease({ id: "b", slug: "404-007", title: "Low Sun" })],
    ...changes,
  };
}

/** Every editable text except the policy, each containing its key. */
export function aLabel(changes: Partial<Label> = {}): Label {
  const name = changes.name ?? "404 COLLECTIVE";
  return {
    name,
    signal: "#ff4a1c",
    has_imprint: false,
    links: [],
    ribbon: null,
    copyright: `© 2024 ${name}`,
    mark: null,
    time_zone: "UTC",
    counts_visits: true,
    ...changes,
  };
}

export const TEXTS: Answer<"GET", "/api/content">["items"] = [
  "hero_main_title",
  "hero_subtitle",
  "hero_description",
  "manifesto_title",
  "manifesto_intro",
  "manifesto_p1",
  "manifesto_p2",
  "manifesto_embrace",
  "manifesto_init",
  "newsletter_title",
  "newsletter_description",
  "artists_join_title",
  "artists_join_description",
].map((key) => ({ key, value: `the ${key} text` }));

export const ALL_LIVE: Answer<"GET", "/api/maintenance">["items"] = [
  "home",
  "releases",
  "artists",
  "store",
  "terminal",
].map((page_key) => ({ page_key, is_maintenance_mode: false, maintenance_message: null }));

type ArchivedLetter = Answer<"GET", "/api/letters">["items"][number];

export function anArchivedLetter(changes: Partial<ArchivedLetter> = {}): ArchivedLetter {
  return {
    slug: "news",
    subject: "News & more",
    preheader: "Out now",
    sent_at: "2026-11-20T12:00:00Z",
    date_label: "2026.11.20",
    is_stopped: false,
    ...changes,
  };
}

export const LETTER_PARTS: Answer<"GET", "/api/letters/{slug}">["parts"] = [
  { kind: "heading", text: "Out now" },
  {
    kind: "text",
    paragraphs: [
      [
        { text: "A ", bold: false, link: null },
        { text: "bold", bold: true, link: null },
        { text: " link", bold: false, link: "https://a.example" },
      ],
    ],
  },
  { kind: "picture", picture: null, alt: "The sleeve", link: null },
  { kind: "divider" },
  {
    kind: "release",
    release: {
      title: "Signal",
      artist: "Nova",
      number: "404-009",
      page: "/releases/404-009",
      sleeve: { url: "/media/letters/a/1.jpg", width: 640, height: 640 },
      links: [{ name: "Bandcamp", url: "https://b.example" }],
    },
    paragraphs: [],
  },
  { kind: "button", text: "Listen", link: "https://l.example" },
];
