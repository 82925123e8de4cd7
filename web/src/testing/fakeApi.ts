// A fake server at the network level: an empty label and a visitor by default. An unhandled request fails the test.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delay, HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type { Answer, ReadPath } from "../api/client.ts";
import { anArrival } from "./arrivals.ts";
import { ALL_LIVE, aLabel, TEXTS } from "./catalogue.ts";
import { VISITOR } from "./people.ts";
import { NO_VISITS } from "./visits.ts";

/** The modules of the rules and of the file check, as served. */
const RULES = moduleOf("@deadwax/rules/rules_wasm_bg.wasm");
const AUDIO = moduleOf("@deadwax/audio/audio_wasm_bg.wasm");

const EMPTY_TRASH = { artist: 0, release: 0, product: 0, media: 0, site_image: 0, demo: 0 };
/** A catalogue without numbers. */
const NO_NUMBERS = { next: null, repeated: [], repeated_total: 0, gaps: [], gaps_total: 0 };
/** The list of first steps, closed. */
const NO_STEPS = { ...page([]), texts: { unchanged: 0, total: 14, first: null } };
/** Before BACKUP_URL is set. */
const NO_BACKUPS: Answer<"GET", "/api/admin/backups"> = {
  status: "warning",
  sentences: ["Nothing is backed up yet."],
  time_zone: "UTC",
  last_backup_at: null,
  last_proof_at: null,
  last_proof_of: null,
  files_read_at: null,
  next_backup_at: null,
  next_proof_at: null,
  running: null,
  is_waiting: false,
  place: null,
  settings: { interval_hours: 24, keep_days: 7, keep_weeks: 4, keep_months: 12, version: 1 },
  runs: [],
};

export const server = setupServer(
  http.get("*/api/releases", () => HttpResponse.json(page([]))),
  http.get("*/api/artists", () => HttpResponse.json(page([]))),
  http.get("*/api/letters", () => HttpResponse.json(page([]))),
  http.get("*/api/content", () => HttpResponse.json(page(TEXTS))),
  http.get("*/api/site-images/:key", () => problem(404)),
  http.get("*/api/maintenance", () => HttpResponse.json(page(ALL_LIVE))),
  http.get("*/api/label", () => HttpResponse.json(aLabel())),
  http.get("*/api/admin/first-steps", () => HttpResponse.json(NO_STEPS)),
  http.get("*/api/admin/backups", () => HttpResponse.json(NO_BACKUPS)),
  http.get("*/api/demos/promise", () => HttpResponse.json({ days: null })),
  http.get("*/api/admin/activity/filters", () => HttpResponse.json({ people: [], kinds: [] })),
  http.get("*/api/admin/trash/counts", () => HttpResponse.json(EMPTY_TRASH)),
  http.get("*/api/admin/catalog-numbers", () => HttpResponse.json(NO_NUMBERS)),
  http.get("*/api/admin/newsletter/arrival", () => HttpResponse.json(anArrival())),
  http.get("*/api/admin/numbers", () => HttpResponse.json(NO_VISITS)),
  http.get("*/api/admin/:list", () => HttpResponse.json({ ...page([]), total: 0 })),
  // The desk reports once more when it is left.
  http.put("*/api/admin/desk/listening", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/auth/sign-up", () => HttpResponse.json({ status: "waiting" })),
  http.get("*/api/auth/session", () => HttpResponse.json(VISITOR)),
  http.get("*/rules_wasm_bg.wasm", () => HttpResponse.arrayBuffer(RULES.slice().buffer)),
  http.get("*/audio_wasm_bg.wasm", () => HttpResponse.arrayBuffer(AUDIO.slice().buffer)),
);

function moduleOf(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(name)));
}

/** A page of a list, the last one without a cursor. */
export function page<Item>(items: Item[], next_cursor: string | null = null) {
  return { items, next_cursor };
}

/** Answers a path. */
export function answer<P extends ReadPath>(path: P, body: Answer<"GET", P>): void {
  server.use(http.get(pattern(path), () => HttpResponse.json(body as JsonBodyType)));
}

/** Answers a path depending on the URL. */
export function answerBy<P extends ReadPath>(path: P, by: (url: URL) => Answer<"GET", P>): void {
  server.use(
    http.get(pattern(path), ({ request }) =>
      HttpResponse.json(by(new URL(request.url)) as JsonBodyType),
    ),
  );
}

/** Refuses a path with this status, or breaks it with 0. */
export function refuse(path: ReadPath, status: number): void {
  server.use(
    http.get(pattern(path), () => (status === 0 ? HttpResponse.error() : problem(status))),
  );
}

/** Makes a path never answer. */
export function hang(path: ReadPath): void {
  server.use(
    http.get(pattern(path), async () => {
      await delay("infinite");
      return HttpResponse.error();
    }),
  );
}

function pattern(path: string): string {
  return `*${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

function problem(status: number) {
  return HttpResponse.json(
    {
      type: "about:blank",
      title: "Refused",
      status,
      detail: "Refused.",
      code: "refused",
      request_id: "test",
    },
    { status, headers: { "content-type": "application/problem+json" } },
  );
}
