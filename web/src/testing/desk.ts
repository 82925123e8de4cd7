// The demo desk for tests, with a server that stores states, scores, tags and notes.
import { HttpResponse, http, type JsonBodyType } from "msw";
import type {
  DemoAnswer,
  DeskDemo,
  DeskDemoDetail,
  DeskSummary,
  LetterKind,
  LetterTemplate,
  SoundAnalysis,
  SoundTrack,
} from "../features/admin/desk/deskTypes.ts";
import { server } from "./fakeApi.ts";

const DEMOS = "*/api/admin/desk/demos";

export function aDeskDemo(changes: Partial<DeskDemoDetail> = {}): DeskDemoDetail {
  return {
    id: "019aa000-0000-7000-8000-0000000000f1",
    artist_name: "Rhythm & Sound",
    email: "moritz@example.org",
    message: "Two takes.",
    file_name: "1762000000_0a1b2c3d_Rhythm___Sound_00.mp3",
    original_name: "mix (final).mp3",
    size_bytes: 3_753_000,
    content_type: "audio/mpeg",
    submitted_at: "2026-11-01T10:00:00Z",
    state: "new",
    heard_at: null,
    state_at: "2026-11-01T10:00:00Z",
    tags: [],
    my_score: null,
    scores: null,
    note_count: 0,
    earlier: [],
    notes: [],
    sound: { state: "waiting", failure: null, duration_ms: null, track_count: null },
    analysis: null,
    tracks: [],
    answered_at: null,
    answers: [],
    release: null,
    ...changes,
  };
}

export function anAnalysis(changes: Partial<SoundAnalysis> = {}): SoundAnalysis {
  return {
    duration_ms: 192_400,
    sample_rate: 44_100,
    channels: 2,
    loudness_lufs: -9.8,
    true_peak_dbtp: -0.3,
    clipped_samples: 0,
    silence_start_ms: 0,
    silence_end_ms: 0,
    peaks: Array.from({ length: 1_000 }, (_, at) => at % 256),
    ...changes,
  };
}

export function aTrack(changes: Partial<SoundTrack> = {}): SoundTrack {
  const index = changes.index ?? 0;
  return {
    index,
    name: `0${index + 1} Untitled.wav`,
    size_bytes: 9_000_000,
    sound: { state: "done", failure: null, duration_ms: 192_400, track_count: null },
    analysis: anAnalysis(),
    ...changes,
  };
}

export function anAnswer(changes: Partial<DemoAnswer> = {}): DemoAnswer {
  return {
    id: "answer-0",
    kind: "declined",
    subject: "Your demo",
    text: "Not this time.",
    created_at: "2026-11-20T10:00:00Z",
    person: "mira",
    sent_at: null,
    failed_at: null,
    undo_until: "2026-11-20T10:00:30Z",
    ...changes,
  };
}

interface SentToDesk {
  call: string;
  body: Record<string, unknown>;
}

export interface KeptDesk {
  demos: DeskDemoDetail[];
  /** Every changing call, in order, except those about listening. */
  sent: SentToDesk[];
  /** Calls about listening. */
  listening: unknown[];
  /** Queries of the list. */
  asked: string[];
  templates: LetterTemplate[];
  /** Other listeners. */
  others: { person: string; is_me: boolean; demo_id: string; since: string }[];
  /** Refuses the next change with this status, once. */
  refuseNext: (status: number) => void;
}

interface MoveOfDemo {
  id: string;
  state: DeskDemo["state"];
  from: string | undefined;
}

const stale = () => HttpResponse.json({ status: 412, code: "stale_version" }, { status: 412 });
const notFound = () => HttpResponse.json({ status: 404, code: "not_found" }, { status: 404 });

/** Keeps these demos, unheard ones first. */
export function keepDesk(...demos: DeskDemoDetail[]): KeptDesk {
  let refusal: number | undefined;
  const kept: KeptDesk = {
    demos,
    sent: [],
    listening: [],
    asked: [],
    others: [],
    templates: (["received", "shortlisted", "declined", "accepted"] as const).map((kind) => ({
      kind,
      subject: `About {file}: ${kind}`,
      text: "Dear {artist}",
      updated_at: "2026-11-01T10:00:00Z",
      version: 1,
    })),
    refuseNext: (status) => {
      refusal = status;
    },
  };
  const find = (id: unknown) => kept.demos.find((demo) => demo.id === id);

  async function note(name: string, request: Request): Promise<Record<string, unknown>> {
    const text = await request.clone().text();
    const body = text.startsWith("{") ? JSON.parse(text) : {};
    kept.sent.push({ call: `${request.method} ${name}`, body });
    return body;
  }
  function refused(): Response | undefined {
    if (refusal === undefined) return undefined;
    const status = refusal;
    refusal = undefined;
    return HttpResponse.json({ status, code: "refused", detail: "Refused." }, { status });
  }
  function change(id: unknown, changes: Partial<DeskDemoDetail>, beside: object = {}): Response {
    const demo = find(id);
    if (!demo) return notFound();
    kept.demos = kept.demos.map((one) => (one.id === id ? { ...one, ...changes } : one));
    return HttpResponse.json({
      ...rowOf({ ...demo, ...changes }),
      ...beside,
    } as unknown as JsonBodyType);
  }
  /** A new state withdraws the waiting letter about another decision. */
  function step(id: unknown, changes: Partial<DeskDemoDetail>): Response {
    const answers = find(id)?.answers ?? [];
    const tellsOther = ({ kind, sent_at }: DemoAnswer) =>
      sent_at === null && kind !== "received" && kind !== changes.state;
    const taken_back = answers.filter(tellsOther).map(({ kind }) => kind);
    return change(
      id,
      { ...changes, answers: answers.filter((answer) => !tellsOther(answer)) },
      { taken_back },
    );
  }
  /** Skips demos that are deleted, or there already. */
  function moveAll(moves: readonly MoveOfDemo[]): Response {
    const open = moves.filter(({ id, state }) => (find(id)?.state ?? state) !== state);
    const moved = open.filter(({ id, from }) => find(id)?.state === from);
    for (const { id, state } of moved) change(id, { state });
    return HttpResponse.json({
      changed: moved.length,
      ids: moved.map(({ id }) => id),
      left: open.length - moved.length,
      taken_back: 0,
    });
  }

  server.use(
    http.get("*/api/admin/desk", () => HttpResponse.json(summaryOf(kept.demos))),
    http.get(DEMOS, ({ request }) => {
      const { searchParams } = new URL(request.url);
      kept.asked.push(searchParams.toString());
      const state = searchParams.get("state");
      const q = searchParams.get("q") ?? "";
      const items = kept.demos
        .filter((demo) => (!state || demo.state === state) && JSON.stringify(demo).includes(q))
        .sort((a, b) => placeOf(a).localeCompare(placeOf(b)))
        .map(rowOf);
      return HttpResponse.json({
        items: items as unknown as JsonBodyType[],
        next_cursor: null,
        total: items.length,
      });
    }),
    http.get(`${DEMOS}/:id`, ({ params }) => {
      const demo = find(params.id);
      return demo ? HttpResponse.json(demo as unknown as JsonBodyType) : notFound();
    }),
    ...(["state", "score", "tags"] as const).map((part) =>
      http.put(`${DEMOS}/:id/${part}`, async ({ request, params }) => {
        const body = await note(part, request);
        if (part === "score") {
          const score = body.score as number | null;
          const scores = score === null ? null : [{ person: "mira", score }];
          // Scoring a new demo marks it as heard.
          const isHeard = score !== null && find(params.id)?.state === "new";
          const heard = { state: "heard", heard_at: "2026-11-20T10:00:00Z" } as const;
          const changes = { my_score: score, scores, ...(isHeard && heard) };
          return refused() ?? change(params.id, changes);
        }
        const { from, ...changes } = body;
        if (from !== undefined && find(params.id)?.state !== from) {
          return find(params.id) ? stale() : notFound();
        }
        return refused() ?? (part === "state" ? step : change)(params.id, changes);
      }),
    ),
    http.post(`${DEMOS}/:id/notes`, async ({ request, params }) => {
      const { text } = await note("notes", request);
      const refusedNow = refused();
      const demo = find(params.id);
      if (refusedNow) return refusedNow;
      if (!demo) return notFound();
      const written = {
        id: `note-${kept.sent.length}`,
        person: "mira",
        is_mine: true,
        text: String(text),
        created_at: "2026-11-20T10:00:00Z",
      };
      change(params.id, { notes: [...demo.notes, written] });
      return HttpResponse.json(written, { status: 201 });
    }),
    http.delete("*/api/admin/desk/notes/:id", async ({ request, params }) => {
      await note("notes", request);
      for (const demo of kept.demos) {
        change(demo.id, { notes: demo.notes.filter(({ id }) => id !== params.id) });
      }
      return new HttpResponse(null, { status: 204 });
    }),
    http.post("*/api/admin/desk/decline", async ({ request }) => {
      const { ids, from } = (await note("decline", request)) as { ids: string[]; from: string[] };
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      return moveAll(ids.map((id, at) => ({ id, state: "declined", from: from[at] })));
    }),
    http.post("*/api/admin/desk/states", async ({ request }) => {
      const { steps } = (await note("states", request)) as { steps: MoveOfDemo[] };
      return refused() ?? moveAll(steps);
    }),
    http.post(`${DEMOS}/:id/release`, async ({ request, params }) => {
      await note("release", request);
      const answer = { release_id: `draft-of-${params.id}`, catalog: "404-001" };
      return refused() ?? HttpResponse.json(answer, { status: 201 });
    }),
    http.post(`${DEMOS}/:id/answers/preview`, async ({ request, params }) => {
      const { kind } = (await request.json()) as { kind: LetterKind };
      const demo = find(params.id);
      if (!demo) return notFound();
      return HttpResponse.json({
        subject: `Your demo: ${kind}`,
        text: `Dear ${demo.artist_name}, …`,
        to: demo.email,
        was_sent_at: answerOf(demo, kind)?.created_at ?? null,
      });
    }),
    http.post(`${DEMOS}/:id/answers`, async ({ request, params }) => {
      const body = await note("answers", request);
      const demo = find(params.id);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      if (!demo) return notFound();
      const kind = body.kind as LetterKind;
      if (!body.again && answerOf(demo, kind)) {
        const problem = { status: 409, code: "already_answered", detail: "Again?" };
        return HttpResponse.json(problem, { status: 409 });
      }
      const hasMovedOn = (body.from ?? demo.state) !== demo.state;
      if (hasMovedOn && !["received", demo.state].includes(kind)) return stale();
      const answer = anAnswer({
        id: `answer-${kept.sent.length}`,
        kind,
        subject: String(body.subject),
        text: String(body.text),
      });
      change(demo.id, {
        answers: [...demo.answers, answer],
        ...(kind !== "received" && { state: kind }),
      });
      return HttpResponse.json({ ...answer, taken_back: [] }, { status: 201 });
    }),
    http.delete("*/api/admin/desk/answers/:id", async ({ request, params }) => {
      await note("answers", request);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      for (const demo of kept.demos) {
        const answers = demo.answers.filter(({ id }) => id !== params.id);
        const answered_at = answers.find(({ sent_at }) => sent_at !== null)?.sent_at ?? null;
        if (answers.length < demo.answers.length) change(demo.id, { answers, answered_at });
      }
      return new HttpResponse(null, { status: 204 });
    }),
    http.get("*/api/admin/desk/templates", () =>
      HttpResponse.json({ items: kept.templates.map((template) => ({ ...template })) }),
    ),
    http.put("*/api/admin/desk/templates/:kind", async ({ request, params }) => {
      const { subject, text } = await note("templates", request);
      const refusedNow = refused();
      if (refusedNow) return refusedNow;
      const held = kept.templates.find(({ kind }) => kind === params.kind);
      if (!held) return notFound();
      if (request.headers.get("if-match") !== `"${held.version}"`) {
        return stale();
      }
      Object.assign(held, { subject, text, version: held.version + 1 });
      return HttpResponse.json({ ...held });
    }),
    http.patch("*/api/admin/desk/settings", async ({ request }) => {
      await note("settings", request);
      return HttpResponse.json(summaryOf(kept.demos));
    }),
    http.get("*/api/admin/desk/listening", () => HttpResponse.json({ items: kept.others })),
    http.put("*/api/admin/desk/listening", async ({ request }) => {
      const { demo_id } = (await request.json()) as { demo_id: unknown };
      kept.listening.push(demo_id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return kept;
}

/** Letters that were given up do not count. */
function answerOf({ answers }: DeskDemoDetail, wanted: LetterKind): DemoAnswer | undefined {
  return answers.find(({ kind, failed_at }) => kind === wanted && failed_at === null);
}

/** The demo as a row of the list. */
function rowOf(detail: DeskDemoDetail): DeskDemo {
  const { earlier: _e, notes: _n, analysis: _a, tracks: _t, answers: _s, ...row } = detail;
  return row;
}

/** Sort key: unheard demos first, oldest first. */
function placeOf({ state, submitted_at, id }: DeskDemoDetail): string {
  return `${state === "new" ? 0 : 1} ${submitted_at} ${id}`;
}

function summaryOf(demos: readonly DeskDemoDetail[]): DeskSummary & Record<string, JsonBodyType> {
  const count = (state: string) => demos.filter((demo) => demo.state === state).length;
  return {
    counts: {
      new: count("new"),
      heard: count("heard"),
      shortlisted: count("shortlisted"),
      accepted: count("accepted"),
      declined: count("declined"),
    },
    waiting: { median_days: 3, oldest_days: 12, overdue: 1 },
    settings: { overdue_days: 30, hides_decision: true },
    tags: [{ tag: "dub", count: 2 }],
    promise_days: null,
  };
}
