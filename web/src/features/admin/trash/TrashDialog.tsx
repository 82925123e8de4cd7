// The deleted rows of a kind: restored, or deleted for good after a question.
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { apiError, call, type Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { TRASH_DAYS } from "../../../rules/generated/constants.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { day } from "../../../ui/dates.ts";
import { Modal } from "../../../ui/Modal.tsx";
import { Picture } from "../../../ui/Picture.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { RowList } from "../lists/RowList.tsx";
import { readTrashAgain, toastNotInTrash, undoRows } from "../lists/useDelete.ts";
import type { RemovableRows, RowsCalls, TrashKind } from "../lists/useRows.ts";
import { dropRows, readRowsAgain, useRows } from "../lists/useRows.ts";

interface TrashDialogProps {
  kind: TrashKind;
  name: string;
  path: RemovableRows["path"];
  onClose: () => void;
}

function TrashDialog({ kind, name, path, onClose }: TrashDialogProps) {
  const client = useQueryClient();
  const rows = useRows(callsOf(kind));
  const underWay = useRef(new Set<string>());

  const move = useCallback(
    async (item: TrashItem, isRestored: boolean) => {
      if (underWay.current.has(item.id)) return;
      underWay.current.add(item.id);
      if (isRestored) await undoRows(client, path, kind, [item.id]);
      else await purge(client, path, kind, item.id);
      underWay.current.delete(item.id);
    },
    [client, kind, path],
  );
  const draw = useCallback((item: TrashItem) => <Deleted item={item} onMove={move} />, [move]);
  return (
    <Modal title={`Trash: ${name}`} onClose={onClose} isWide>
      <p tabIndex={-1} data-focus-home className="border-hairline border-b px-gutter py-4 text-dim">
        What was deleted stays here for {TRASH_DAYS} days, visible to admins only, and then is
        erased.
      </p>
      <RowList
        label={`Trash: ${name}`}
        rows={rows}
        loadFailed="trash_load_failed"
        empty="The trash is empty"
        draw={draw}
        hasMoreButton
      />
    </Modal>
  );
}

interface DeletedProps {
  item: TrashItem;
  onMove: (item: TrashItem, isRestored: boolean) => Promise<void>;
}

function Deleted({ item, onMove }: DeletedProps) {
  const [isAsking, setAsking] = useState(false);
  const { name, deleted_at, deleted_by, gone_at } = item;
  return (
    <article
      aria-label={name}
      className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-3 px-gutter py-3 text-[0.75rem] md:grid-cols-[3rem_minmax(0,1fr)_auto]"
    >
      <Picture of={item} isStill alt="" sizes="3rem" className="aspect-square size-12 opacity-60" />
      <div className="min-w-0">
        <h3 className="type-row [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </h3>
        <p className="mt-1 text-dim tabular-nums">
          Deleted <time dateTime={deleted_at}>{day(deleted_at)}</time>
          {deleted_by && ` by ${deleted_by}`}, goes <time dateTime={gone_at}>{day(gone_at)}</time>
        </p>
      </div>
      <div className="type-label col-span-2 flex flex-wrap gap-2 md:col-span-1 md:justify-end">
        <Button
          variant="outline"
          aria-label={`Restore ${name}`}
          // The second click of a double click was meant for the row that was here before.
          onClick={({ detail }) => detail <= 1 && void onMove(item, true)}
        >
          Restore
        </Button>
        <Button
          data-focus-home
          variant="destroy"
          aria-label={`Delete for good: ${name}`}
          onClick={() => setAsking(true)}
        >
          Delete For Good
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={
            <>
              Delete <bdi>{name}</bdi> for good?
            </>
          }
          confirm="Yes, Delete For Good"
          onConfirm={() => {
            setAsking(false);
            void onMove(item, false);
          }}
          cancel="Keep"
          onCancel={() => setAsking(false)}
          isCancelAdvised
        >
          This deletes it for good, with its files.
        </ConfirmDialog>
      )}
    </article>
  );
}

interface TrashButtonProps {
  kind: TrashKind;
  name: string;
  /** The list that restored rows return to. */
  path: RemovableRows["path"];
}

export function TrashButton({ kind, name, path }: TrashButtonProps) {
  const { data } = useQuery(countsQuery);
  const [isOpen, setOpen] = useState(false);
  // As wide as one digit until it is known, so that nothing beside the button moves.
  const count = data?.[kind] ?? "…";
  return (
    <>
      <Button className="flex-none tabular-nums" onClick={() => setOpen(true)}>
        Trash ({count})<span className="sr-only"> of {name}</span>
      </Button>
      {isOpen && <TrashDialog kind={kind} name={name} path={path} onClose={() => setOpen(false)} />}
    </>
  );
}

type TrashItem = Schemas["TrashItem"];

const TRASH_PATH = "/api/admin/trash";

const countsQuery = readQuery("/api/admin/trash/counts", {});

function callsOf(kind: TrashKind): RowsCalls<TrashItem> {
  return {
    path: `${TRASH_PATH}/${kind}`,
    list: (query, signal) => call("GET", TRASH_PATH, { query: { kind, ...query }, signal }),
  };
}

async function purge(
  client: QueryClient,
  path: RemovableRows["path"],
  kind: TrashKind,
  id: string,
): Promise<void> {
  try {
    await call("DELETE", "/api/admin/trash/{kind}/{id}", { path: { kind, id } });
    toastSuccess("purged");
  } catch (error) {
    if (apiError(error).status !== 404) {
      readTrashAgain(client);
      return toastChangeFailed(error, "purge_failed");
    }
    toastNotInTrash();
    readRowsAgain(client, path);
  }
  dropRows(client, `${TRASH_PATH}/${kind}`, [id]);
  readTrashAgain(client);
}
