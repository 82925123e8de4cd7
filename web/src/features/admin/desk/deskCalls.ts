import { type InfiniteData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Answer, apiError, call, unlessGone } from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";
import type { CatchUp } from "../../../api/live/tables.ts";
import { readQuery, unlessRefused } from "../../../api/queries.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { dropRows, heldRows, type Page, putRow, type RowsCalls, rowsOf } from "../lists/useRows.ts";
import type { DemoState, DeskDemo, DeskDemoDetail } from "./deskTypes.ts";

const PATH = "/api/admin/desk/demos";

/**
 * Reads the changed rows alone where that takes fewer calls. A narrowed list may lose them, and its last row says which
 * page comes next, so then it is read again.
 */
const catchUpRows: CatchUp = async (client, { queryKey: [url], state }, keys) => {
  const pages = (state.data as InfiniteData<Page<DeskDemo>> | undefined)?.pages ?? [];
  const known = pages.flatMap(({ items }) => items.map(({ id }) => id)).slice(0, -1);
  const isNarrowed = String(url).includes("&");
  const areKnown = [...keys].every((key) => known.includes(key));
  if (isNarrowed || !areKnown || keys.size >= pages.length) return false;
  await Promise.all([...keys].map((id) => readDemo(client, id)));
  return true;
};

export const deskRows: RowsCalls<DeskDemo> = {
  path: PATH,
  list: rowsOf(PATH),
  sizes: { first: 50, next: 100 },
  catchUp: catchUpRows,
};

export const summaryQuery = readQuery("/api/admin/desk", {});

export function demoQuery(id: string) {
  return queryOptions({ ...readQuery(`${PATH}/{id}`, { path: { id } }), meta: ofDemo(id) });
}

/** Query options that skip live events of demos which are neither this one nor listed in it. */
export function ofDemo(id: string) {
  const catchUp: CatchUp = async (client, _, keys) => {
    const { earlier = [] } = client.getQueryData<DeskDemoDetail>([`${PATH}/${id}`]) ?? {};
    return ![id, ...earlier.map((demo) => demo.id)].some((known) => keys.has(known));
  };
  return { catchUp };
}

/** Polled, because a closed browser cannot say that it stopped listening. */
export const listeningQuery = queryOptions({
  ...readQuery("/api/admin/desk/listening", {}),
  refetchInterval: ({ state }) => unlessRefused(state, 15_000),
});

const at = (id: string) => ({ path: { id } });

/** Throws 412 if the demo is no longer in the state `from`. Also cancels waiting letters that tell of another decision, with a toast. */
export async function putState(
  id: string,
  state: DemoState,
  from: DemoState,
  options?: { unless_scored: boolean },
): Promise<DeskDemo> {
  const { taken_back, ...demo } = await call("PUT", `${PATH}/{id}/state`, {
    ...at(id),
    body: { state, from, ...options },
  });
  toastTakenBack(taken_back.length);
  return demo;
}

export function putScore(id: string, score: number | null): Promise<DeskDemo> {
  return call("PUT", `${PATH}/{id}/score`, { ...at(id), body: { score } });
}

/** `was` is what `tags` was made from, so that concurrent changes of others are kept. */
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
  return call("DELETE", "/api/admin/desk/notes/{id}", at(id)).catch(unlessGone);
}

/** `isLast` calls are sent even while the page closes. */
export function putListening(demo_id: string | null, isLast = false) {
  return call("PUT", "/api/admin/desk/listening", { body: { demo_id }, keepalive: isLast });
}

export function toastTakenBack(count: number): void {
  if (count === 0) return;
  const what = count === 1 ? "A letter that waited" : `${count} letters that waited`;
  showToast({
    title: count === 1 ? "Letter taken back" : "Letters taken back",
    description: `${what} told of another decision and will not be sent.`,
  });
}

export function postRelease(id: string): Promise<Answer<"POST", `${typeof PATH}/{id}/release`>> {
  return call("POST", `${PATH}/{id}/release`, at(id));
}

export function putDemo(client: QueryClient, demo: DeskDemo): void {
  putRow(client, PATH, demo);
  client.setQueryData<DeskDemoDetail>(
    demoQuery(demo.id).queryKey,
    (held) => held && { ...held, ...demo },
  );
}

/** Shows a changed demo and refetches its details. Cancels reads that were started before the change. */
export async function putChanged(client: QueryClient, demo: DeskDemo): Promise<void> {
  const { queryKey } = demoQuery(demo.id);
  await client.cancelQueries({ queryKey });
  putDemo(client, demo);
  void client.invalidateQueries({ queryKey });
}

export function heldDemo(client: QueryClient, id: string): DeskDemo | undefined {
  return (
    client.getQueryData<DeskDemoDetail>(demoQuery(id).queryKey) ??
    heldRows<DeskDemo>(client, PATH, [id])[0]
  );
}

/** Refetches a demo; it leaves the lists if it was deleted. */
export async function readDemo(client: QueryClient, id: string): Promise<void> {
  try {
    putDemo(client, rowOf(await client.fetchQuery({ ...demoQuery(id), staleTime: 0 })));
  } catch (error) {
    if (apiError(error).status !== 404) throw error;
    dropRows(client, PATH, [id]);
  }
}

function rowOf(detail: DeskDemoDetail): DeskDemo {
  const { earlier: _e, notes: _n, analysis: _a, tracks: _t, answers: _s, ...row } = detail;
  return row;
}
