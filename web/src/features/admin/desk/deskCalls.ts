// The calls of the desk, and what they answer.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Answer, apiError, call } from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";
import type { CatchUp } from "../../../api/live/catchUp.ts";
import { readQuery } from "../../../api/queries.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { demoCalls } from "../demos/demo.ts";
import { type Asked, type RowsCalls, rowsOf } from "../lists/rowsCalls.ts";
import { heldRow, putRow, readRowsAgain } from "../lists/useRows.ts";
import type { DemoState, DeskDemo, DeskDemoDetail, DeskSummary } from "./deskTypes.ts";

const PATH = "/api/admin/desk/demos";

/** What the desk's list can be asked for. */
export interface DeskAsked extends Asked {
  tag?: string;
  score?: string;
  sender?: string;
  answered?: string;
  overdue?: string;
}

export const deskRows: RowsCalls<DeskDemo> = {
  path: PATH,
  list: rowsOf(PATH),
  remove: demoCalls.remove,
  sizes: { first: 50, next: 100 },
};

export const summaryQuery = readQuery("/api/admin/desk", {});

/** A demo with all that belongs to it. One that is gone is not asked for again. */
export function demoQuery(id: string) {
  return queryOptions({ ...readQuery(`${PATH}/{id}`, { path: { id } }), meta: ofDemo(id) });
}

/** A read of one demo, which others concern only where they are told of in it. */
export function ofDemo(id: string) {
  const catchUp: CatchUp = async (client, _, keys) => {
    const { earlier = [] } = client.getQueryData<DeskDemoDetail>([`${PATH}/${id}`]) ?? {};
    return ![id, ...earlier.map((demo) => demo.id)].some((told) => keys.has(told));
  };
  return { catchUp };
}

/** Who listens to what. Nobody says that they have stopped where their browser was shut. */
export const listeningQuery = queryOptions({
  ...readQuery("/api/admin/desk/listening", {}),
  refetchInterval: 15_000,
});

const at = (id: string) => ({ params: { path: { id } } });

/**
 * A demo that stands elsewhere by now than `from` stays there: 412. A letter that waited and told of another decision is not sent,
 * which is said.
 */
export async function putState(id: string, state: DemoState, from: DemoState): Promise<DeskDemo> {
  const { taken_back, ...demo } = await call("PUT", `${PATH}/{id}/state`, {
    ...at(id),
    body: { state, from },
  });
  toastTakenBack(taken_back.length);
  return demo;
}

export function putScore(id: string, score: number | null): Promise<DeskDemo> {
  return call("PUT", `${PATH}/{id}/score`, { ...at(id), body: { score } });
}

/** Sets the tags to `tags`, which was made of `was`: what others have put on or taken off since stays so. */
export function putTags(id: string, tags: string[], was: string[]): Promise<DeskDemo> {
  return call("PUT", `${PATH}/{id}/tags`, { ...at(id), body: { tags, was } });
}

const noteNames = createRequestNames();

export async function postNote(id: string, text: string) {
  const headers = noteNames.of([id, text]);
  const note = await call("POST", `${PATH}/{id}/notes`, { ...at(id), body: { text }, headers });
  noteNames.end();
  return note;
}

export function deleteNote(id: string) {
  return call("DELETE", "/api/admin/desk/notes/{id}", at(id));
}

/** `isLast` calls are sent even while the page is closed. */
export function putListening(demo_id: string | null, isLast = false) {
  return call("PUT", "/api/admin/desk/listening", { body: { demo_id }, keepalive: isLast });
}

/** Says how many waiting letters will not be sent because their decision has changed. */
export function toastTakenBack(count: number): void {
  if (count === 0) return;
  const what = count === 1 ? "A letter that waited" : `${count} letters that waited`;
  showToast({
    title: count === 1 ? "Letter taken back" : "Letters taken back",
    description: `${what} told of another decision and will not be sent.`,
  });
}

/** Declines demos that stand as they were shown; the others are left. */
export function postDecline(
  shown: readonly { id: string; state: DemoState }[],
): Promise<Answer<"POST", "/api/admin/desk/decline">> {
  const body = { ids: shown.map(({ id }) => id), from: shown.map(({ state }) => state) };
  return call("POST", "/api/admin/desk/decline", { body });
}

/** Moves demos, each from the state that it was shown in; those that stand elsewhere by now are left. */
export function postStates(
  steps: readonly { id: string; state: DemoState; from: DemoState }[],
): Promise<Answer<"POST", "/api/admin/desk/states">> {
  return call("POST", "/api/admin/desk/states", { body: { steps: [...steps] } });
}

/** Makes a draft of a release of a demo. */
export function postRelease(id: string): Promise<Answer<"POST", `${typeof PATH}/{id}/release`>> {
  return call("POST", `${PATH}/{id}/release`, at(id));
}

/** Sets what is named; the rest stays as it is. */
export function patchSettings(settings: Partial<DeskSummary["settings"]>) {
  return call("PATCH", "/api/admin/desk/settings", { body: settings });
}

/** Shows a demo as the server answered it, in the lists and where it lies open. */
export function putDemo(client: QueryClient, demo: DeskDemo): void {
  putRow(client, PATH, demo);
  client.setQueryData<DeskDemoDetail>(
    demoQuery(demo.id).queryKey,
    (held) => held && { ...held, ...demo },
  );
}

/** Shows what a change has made of a demo, and reads the rest of it again. What was read before the change comes no more. */
export async function putChanged(client: QueryClient, demo: DeskDemo): Promise<void> {
  const { queryKey } = demoQuery(demo.id);
  await client.cancelQueries({ queryKey });
  putDemo(client, demo);
  void client.invalidateQueries({ queryKey });
}

/** A demo as it is known here: as it lies open, else as a list has it. */
export function heldDemo(client: QueryClient, id: string): DeskDemo | undefined {
  return (
    client.getQueryData<DeskDemoDetail>(demoQuery(id).queryKey) ??
    heldRow<DeskDemo>(client, PATH, id)
  );
}

/** Reads a demo anew, and shows it wherever it is; one that is gone by now is nowhere. */
export async function readDemo(client: QueryClient, id: string): Promise<void> {
  try {
    putDemo(client, rowOf(await client.fetchQuery({ ...demoQuery(id), staleTime: 0 })));
  } catch (error) {
    if (apiError(error).status !== 404) throw error;
    readRowsAgain(client, PATH);
  }
}

/** A demo as the lists have it. */
function rowOf(detail: DeskDemoDetail): DeskDemo {
  const { earlier: _e, notes: _n, analysis: _a, tracks: _t, answers: _s, ...row } = detail;
  return row;
}
