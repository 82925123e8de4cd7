// The trash, as the server tells it: how much there is of each kind, and what.
import { call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import type { RowsCalls } from "../lists/rowsCalls.ts";
import { purgeRow, type TrashKind } from "../lists/trashKinds.ts";

export type TrashItem = Schemas["TrashItem"];

const TRASH_PATH = "/api/admin/trash";

export const countsQuery = readQuery("/api/admin/trash/counts", {});

/** The calls of one kind's part of the trash; the same object for a kind. */
export const trashCalls = Object.fromEntries(
  (["artist", "release", "product", "media", "site_image", "demo"] as const).map((kind) => [
    kind,
    {
      path: `${TRASH_PATH}/${kind}`,
      list: (query, signal) =>
        call("GET", TRASH_PATH, { params: { query: { kind, ...query } }, signal }),
      remove: (id) => purgeRow(kind, id),
    } satisfies RowsCalls<TrashItem>,
  ]),
) as unknown as Readonly<Record<TrashKind, RowsCalls<TrashItem>>>;
