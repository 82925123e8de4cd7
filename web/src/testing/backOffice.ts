// The dashboard's rows for tests, an admin, and a server that stores changes.
import { HttpResponse, http, type JsonBodyType } from "msw";
import type { Answer } from "../api/client.ts";
import type { Artist } from "../features/admin/artists/ArtistsTab.tsx";
import type { Demo } from "../features/admin/demos/demo.ts";
import type { MediaFile } from "../features/admin/library/mediaFile.ts";
import type { Letter } from "../features/admin/newsletter/letters/letterConfig.ts";
import type { Release } from "../features/admin/releases/releaseConfig.ts";
import type { SiteImage } from "../features/admin/siteImages/SiteImages.tsx";
import type { Product } from "../features/admin/store/StoreTab.tsx";
import { seeAs } from "./calls.ts";
import { aLabel } from "./catalogue.ts";
import { server } from "./fakeApi.ts";
import { anAdmin } from "./people.ts";
import { renderPath } from "./renderPath.tsx";

const STAMPS = {
  created_at: "2026-11-01T10:00:00Z",
  updated_at: "2026-11-01T10:00:00Z",
  version: 3,
};

export function anEditableArtist(changes: Partial<Artist> = {}): Artist {
  return {
    id: "019aa000-0000-7000-8000-000000000001",
    name: "Kesto Vann",
    bio: "Cuts records in a basement.",
    image_url: null,
    image_small_url: null,
    image_sizes: null,
    spotify_url: null,
    soundcloud_url: null,
    instagram_url: null,
    youtube_url: null,
    apple_music_url: null,
    social_links: { website: null, twitter: null },
    featured: false,
    is_public: true,
    ...STAMPS,
    ...changes,
  };
}

export function anEditableRelease(changes: Partial<Release> = {}): Release {
  return {
    id: "019aa000-0000-7000-8000-00000000000a",
    title: "Dead Air Protocol",
    catalog: "404-019",
    release_date: "2026-10-02",
    description: "Four tracks cut hot.",
    cover_image_url: null,
    image_small_url: null,
    image_sizes: null,
    spotify_url: null,
    soundcloud_url: null,
    apple_music_url: null,
    youtube_url: null,
    bandcamp_url: null,
    artist_id: "019aa000-0000-7000-8000-000000000001",
    artist: { id: "019aa000-0000-7000-8000-000000000001", name: "Kesto Vann" },
    format: null,
    tracks: [],
    credits: [],
    state: "out",
    goes_out_at: null,
    slug: "404-019",
    private_link: null,
    featured: false,
    ...STAMPS,
    ...changes,
  };
}

export function aProduct(changes: Partial<Product> = {}): Product {
  return {
    id: "019aa000-0000-7000-8000-0000000000c1",
    title: "Slipmat",
    description: null,
    price: 12.5,
    image_url: null,
    image_small_url: null,
    image_sizes: null,
    stock_quantity: 40,
    category: "Merch",
    featured: false,
    active: true,
    ...STAMPS,
    ...changes,
  };
}

export function aSiteImage(changes: Partial<SiteImage> = {}): SiteImage {
  return {
    id: "019aa000-0000-7000-8000-0000000000d1",
    key: "hero_background",
    image_url: "/media/assets/hero.png",
    image_small_url: "/media/assets/hero-png-small.jpg",
    image_sizes: null,
    image_width: 1600,
    image_height: 1000,
    alt_text: "Grooves",
    description: "Background of the home page",
    is_default: false,
    created_at: STAMPS.created_at,
    updated_at: STAMPS.updated_at,
    version: STAMPS.version,
    ...changes,
  };
}

export function aMediaFile(changes: Partial<MediaFile> = {}): MediaFile {
  return {
    id: "019aa000-0000-7000-8000-0000000000e1",
    filename: "1795000000000-aa.png",
    original_name: "flyer.png",
    file_path: "uploads/1795000000000-aa.png",
    file_type: "image",
    file_size: 1_500,
    mime_type: "image/png",
    alt_text: null,
    url: "/media/uploads/1795000000000-aa.png",
    small_url: "/media/uploads/1795000000000-aa-png-small.jpg",
    sizes: null,
    width: 800,
    height: 600,
    created_at: STAMPS.created_at,
    is_public: true,
    uses: [],
    ...changes,
  };
}

export function aDemo(changes: Partial<Demo> = {}): Demo {
  return {
    id: "019aa000-0000-7000-8000-0000000000f1",
    name: "1795000000000_0badcafe_Rhythm_Sound.mp3",
    size: 3_753_000,
    last_modified: STAMPS.created_at,
    file_name: "1795000000000_0badcafe_Rhythm_Sound.mp3",
    artist_label: "Rhythm Sound",
    artist_name: "Rhythm & Sound",
    email: "moritz@example.org",
    message: "Two takes.",
    original_name: "mix (final).mp3",
    size_bytes: 3_753_000,
    content_type: "audio/mpeg",
    submitted_at: STAMPS.created_at,
    ...changes,
  };
}

interface Row {
  id: string;
  /** Only for editable rows. */
  version?: number;
}

/** A changing call, successful or not. */
interface Sent {
  call: string;
  body: Record<string, unknown>;
  ifMatch: string | null;
}

export interface KeptRows<R extends Row> {
  rows: R[];
  sent: Sent[];
  /** Searches, in order. */
  searches: string[];
  /** Answers the next changing call with this status, once. */
  refuseNext: (status: number, problem: { code: string; detail?: string; fields?: object }) => void;
}

/** Keeps these rows behind the path, with versions like the server's. */
export function keepRows<R extends Row>(path: string, ...rows: R[]): KeptRows<R> {
  const kept: KeptRows<R> = {
    rows,
    sent: [],
    searches: [],
    refuseNext: (status, problem) => {
      refusal = { status, problem: { title: "Refused", request_id: "test", ...problem } };
    },
  };
  let refusal: { status: number; problem: object } | undefined;

  function refused(): Response | undefined {
    if (!refusal) return undefined;
    const { status, problem } = refusal;
    refusal = undefined;
    return HttpResponse.json({ status, ...problem }, { status });
  }
  const answer = (row: R, status = 200) =>
    HttpResponse.json(row as unknown as JsonBodyType, { status });
  const find = (id: unknown) => kept.rows.find((row) => row.id === id);

  async function note(request: Request): Promise<Sent> {
    const text = await request.clone().text();
    const sent = {
      call: request.method,
      body: text.startsWith("{") ? JSON.parse(text) : {},
      ifMatch: request.headers.get("if-match"),
    };
    kept.sent.push(sent);
    return sent;
  }
  function change(id: unknown, changes: object): Response {
    const row = find(id);
    if (!row) return HttpResponse.json({ code: "not_found" }, { status: 404 });
    const changed = { ...row, ...changes, version: (row.version ?? 0) + 1 };
    kept.rows = kept.rows.map((other) => (other.id === id ? changed : other));
    return answer(changed);
  }

  server.use(
    http.get(`*${path}`, ({ request }) => {
      const q = new URL(request.url).searchParams.get("q") ?? "";
      kept.searches.push(q);
      const items = kept.rows.filter((row) => JSON.stringify(row).includes(q));
      return HttpResponse.json({
        items: items as unknown as JsonBodyType[],
        next_cursor: null,
        total: items.length,
      });
    }),
    http.get(`*${path}/:id`, ({ params }) => {
      const row = find(params.id);
      return row ? answer(row) : HttpResponse.json({ code: "not_found" }, { status: 404 });
    }),
    http.post(`*${path}`, async ({ request }) => {
      const { body } = await note(request);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      const row = { ...kept.rows[0], ...body, id: `new-${kept.sent.length}`, version: 1 } as R;
      kept.rows = [row, ...kept.rows];
      return answer(row, 201);
    }),
    http.put(`*${path}/:id`, async ({ request, params }) => {
      const { body, ifMatch } = await note(request);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      if (ifMatch !== `"${find(params.id)?.version}"`) {
        return HttpResponse.json(
          { status: 412, code: "stale_version", detail: "Somebody else was faster." },
          { status: 412 },
        );
      }
      return change(params.id, body);
    }),
    http.patch(`*${path}/:id`, async ({ request, params }) => {
      const { body } = await note(request);
      return refused() ?? change(params.id, body);
    }),
    http.delete(`*${path}/:id`, async ({ request, params }) => {
      await note(request);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      if (!find(params.id)) return HttpResponse.json({ code: "not_found" }, { status: 404 });
      kept.rows = kept.rows.filter((row) => row.id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return kept;
}

/** Opens a tab as an admin; `label` as the page is served with it. */
export function openTab(tab: string, label?: Parameters<typeof aLabel>[0]) {
  seeAs(anAdmin());
  const queries = label && [{ url: "/api/label", body: aLabel(label) }];
  return renderPath(`/admin?tab=${tab}`, queries && { event_id: 1, queries });
}

/** Answers the consent of the newsletter's subscribers. */
export function answerConsent(
  changes: Partial<Answer<"GET", "/api/admin/newsletter/settings">> = {},
) {
  const summary = {
    settings: {
      asks_to_confirm: true,
      confirmations_a_day: 500,
      letters_a_second: 2,
      letters_an_hour: null,
      letters_a_day: null,
      postal_address: "",
    },
    confirmed: 1,
    vouched: 0,
    unconfirmed: 0,
    not_asked: 0,
    waiting: 0,
    can_send: true,
    sees_bounces: true,
    left_unread: null,
    ...changes,
  };
  server.use(http.get("*/api/admin/newsletter/settings", () => HttpResponse.json(summary)));
}

type LetterSending = Answer<"GET", "/api/admin/letters/{id}/sending">;

export const NOBODY = {
  recipients: 1200,
  waiting: 1200,
  sent: 0,
  refused: 0,
  bounced: 0,
  left: 0,
  skipped: 0,
  perhaps_twice: 0,
};

/** How far a letter is sent; by default a draft. */
export function aLetter(changes: Partial<Letter> = {}): Letter {
  return {
    id: "019aa000-0000-7000-8000-0000000000a1",
    slug: null,
    subject: "News",
    preheader: "",
    parts: [{ kind: "heading", text: "Out now" }],
    in_archive: true,
    state: "draft",
    goes_out_at: null,
    began_at: null,
    ended_at: null,
    pause_reason: null,
    captured: false,
    created_at: "2026-11-20T12:00:00Z",
    updated_at: "2026-11-20T12:00:00Z",
    version: 1,
    ...changes,
  };
}

export const A_PREVIEW: Answer<"GET", "/api/admin/letters/{id}/preview"> = {
  html: "<p>hello</p>",
  text: "plain hello",
  size_bytes: 5000,
  size_max: 61_440,
  not_out: [],
};

export function aSending(changes: Partial<LetterSending> = {}): LetterSending {
  return {
    version: 3,
    state: "draft",
    goes_out_at: null,
    began_at: null,
    ended_at: null,
    pause_text: null,
    is_captured: false,
    counts: NOBODY,
    refusals: [],
    seconds_left: 600,
    not_out: [],
    ...changes,
  };
}
