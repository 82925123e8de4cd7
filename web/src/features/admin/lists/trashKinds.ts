// What can be in the trash, and the call that brings it back.
import type { QueryClient } from "@tanstack/react-query";
import { call, type Schemas } from "../../../api/client.ts";
import { isReadOf } from "../../../api/live/tables.ts";
import { endDeletion } from "./underDeletion.ts";

export type TrashKind = Schemas["TrashKind"];

/** Whether rows of a kind are shown in the trash: a demo can only be brought back by the key that is there for a minute. */
export function isListed(kind: TrashKind | undefined): boolean {
  return kind !== "demo";
}

/** What is said of rows that were restored. */
export type RestoredCode = "restored" | "restored_as_draft";

const restoredCode = (drafts: readonly string[] = []): RestoredCode =>
  drafts.length > 0 ? "restored_as_draft" : "restored";

/** Brings a deleted row back, with its files and its places on the pages; answers what to say of it. */
export async function restoreRow(
  client: QueryClient,
  kind: TrashKind,
  id: string,
): Promise<RestoredCode> {
  // The row may be back in the list before the answer is here.
  endDeletion(client, id);
  const path = { kind, id };
  const restored = await call("POST", "/api/admin/trash/{kind}/{id}/restore", { params: { path } });
  return restoredCode(restored?.drafts);
}

/** Reads again what is in the trash, and how much: whoever moved something need not wait to be told of it. */
export function readTrashAgain(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [url] }) => isReadOf("trash", url) });
}

/** As many rows as the server moves at once. */
const MOVED_AT_ONCE = 100;

/** Rows that were moved, and whether that was all of them. */
interface Moved {
  ids: string[];
  /** Those that came back as drafts. */
  drafts: string[];
  hasFailed: boolean;
}

type Move = "/api/admin/trash" | "/api/admin/trash/restore";

/** Moves any number of rows; `onMoved` hears of each part as it is done. What fails ends it. */
async function moveRows(
  path: Move,
  kind: TrashKind,
  ids: readonly string[],
  onMoved?: (part: readonly string[]) => void,
): Promise<Moved> {
  const moved: string[] = [];
  const drafts: string[] = [];
  for (let at = 0; at < ids.length; at += MOVED_AT_ONCE) {
    const part = ids.slice(at, at + MOVED_AT_ONCE);
    try {
      const body = { kind, ids: part };
      const answer: { ids: string[]; drafts?: string[] } = await call("POST", path, { body });
      moved.push(...answer.ids);
      drafts.push(...(answer.drafts ?? []));
    } catch {
      return { ids: moved, drafts, hasFailed: true };
    }
    onMoved?.(part);
  }
  return { ids: moved, drafts, hasFailed: false };
}

/** Moves rows to the trash; those that were there already are not among the answer's. */
export function trashRows(
  kind: TrashKind,
  ids: readonly string[],
  onMoved: (part: readonly string[]) => void,
): Promise<Moved> {
  return moveRows("/api/admin/trash", kind, ids, onMoved);
}

/** Brings rows back from the trash; answers what to say of them, or nothing where that failed. */
export async function restoreRows(
  client: QueryClient,
  kind: TrashKind,
  ids: readonly string[],
): Promise<RestoredCode | undefined> {
  for (const id of ids) endDeletion(client, id);
  const { drafts, hasFailed } = await moveRows("/api/admin/trash/restore", kind, ids);
  return hasFailed ? undefined : restoredCode(drafts);
}

/** Removes a row of the trash for good. */
export function purgeRow(kind: TrashKind, id: string): Promise<unknown> {
  return call("DELETE", "/api/admin/trash/{kind}/{id}", { params: { path: { kind, id } } });
}
