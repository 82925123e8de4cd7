// The demo desk for tests: demos that are judged by a server that keeps what is sent.
import { HttpResponse, http, type JsonBodyType } from "msw";
import type { DeskDemo } from "../features/admin/desk/deskTypes.ts";
import { server } from "./fakeApi.ts";

const DEMOS = "*/api/admin/desk/demos";

export function aDeskDemo(changes: Partial<DeskDemo> = {}): DeskDemo {
  return {
    id: "019aa000-0000-7000-8000-0000000000f1",
    artist_name: "Rhythm & Sound",
    email: "moritz@example.org",
    message: "Two takes.",
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
    ...changes,
  };
}

interface SentToDesk {
  call: string;
  body: Record<string, unknown>;
}

export interface KeptDesk {
  demos: DeskDemo[];
  /** Every call that changed something, in order. */
  sent: SentToDesk[];
  /** Searches of the list, as they were asked. */
  asked: string[];
  /** Refuses the next change with this status, once. */
  refuseNext: (status: number) => void;
}

const notFound = () => HttpResponse.json({ status: 404, code: "not_found" }, { status: 404 });

/** From now on these demos lie on the desk, what nobody has heard first. */
export function keepDesk(...demos: DeskDemo[]): KeptDesk {
  let refusal: number | undefined;
  const kept: KeptDesk = {
    demos,
    sent: [],
    asked: [],
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
  function change(id: unknown, changes: Partial<DeskDemo>): Response {
    const demo = find(id);
    if (!demo) return notFound();
    kept.demos = kept.demos.map((one) => (one.id === id ? { ...one, ...changes } : one));
    return HttpResponse.json({ ...demo, ...changes } as unknown as JsonBodyType);
  }

  server.use(
    http.get(DEMOS, ({ request }) => {
      const { searchParams } = new URL(request.url);
      kept.asked.push(searchParams.toString());
      const state = searchParams.get("state");
      const q = searchParams.get("q") ?? "";
      const items = kept.demos
        .filter((demo) => (!state || demo.state === state) && JSON.stringify(demo).includes(q))
        .sort((a, b) => placeOf(a).localeCompare(placeOf(b)));
      return HttpResponse.json({
        items: items as unknown as JsonBodyType[],
        next_cursor: null,
        total: items.length,
      });
    }),
    http.put(`${DEMOS}/:id/state`, async ({ request, params }) => {
      const body = await note("state", request);
      return refused() ?? change(params.id, body);
    }),
    http.post("*/api/admin/desk/decline", async ({ request }) => {
      const { ids } = await note("decline", request);
      for (const id of ids as string[]) change(id, { state: "declined" });
      return HttpResponse.json({ changed: (ids as string[]).length });
    }),
  );
  return kept;
}

/** What nobody has heard first, the oldest first. */
function placeOf({ state, submitted_at, id }: DeskDemo): string {
  return `${state === "new" ? 0 : 1} ${submitted_at} ${id}`;
}
