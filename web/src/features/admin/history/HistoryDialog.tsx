// The history of a row: every saved version with its changes, and a button that restores it.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiError, call, type Schemas } from "../../../api/client.ts";
import { pagesQuery } from "../../../api/queries.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import { Button } from "../../../ui/Button.tsx";
import { dayAndTime } from "../../../ui/dates.ts";
import { Modal } from "../../../ui/Modal.tsx";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { fieldText } from "../fieldText.ts";
import { Reading } from "../lists/RowList.tsx";
import { ifMatch, type VersionKind } from "../resource/resourceConfig.ts";

type SavedVersion = Schemas["SavedVersion"];

interface HistoryOf {
  kind: VersionKind;
  /** The row's id, or the text's key. */
  rowKey: string;
  name: string;
  /** The newest version known when the dialog opens. */
  version: number;
  labels: Readonly<Record<string, string>>;
  /** Restoring would replace unsaved text. */
  hasUnsaved: boolean;
  /** Called once an older version was saved as the newest. */
  onRestored: () => Promise<void>;
  /** Reads a newer version without discarding what was typed; resolves to its number if known. */
  onStale: () => Promise<number | undefined>;
}

const DELETED = "Someone else has deleted this. The trash may have it.";

const NEWER_SAVED = "Someone else has saved a newer version.";

function HistoryDialog({ onClose, ...of }: HistoryOf & { onClose: () => void }) {
  const { kind, rowKey, name, version, labels, hasUnsaved, onRestored, onStale } = of;
  const client = useQueryClient();
  const path = { kind, key: rowKey };
  const query = pagesQuery<SavedVersion>(`/api/admin/versions/${kind}/${rowKey}`, (after, signal) =>
    call("GET", "/api/admin/versions/{kind}/{key}", { path, query: after, signal }),
  );
  const { queryKey } = query;
  const history = useInfiniteQuery({ ...query, gcTime: 0 });
  const isMounted = useIsMounted();
  const [problem, setProblem] = useState<string>();
  // The version to restore onto: the newest that the reader has seen.
  const [base, setBase] = useState(version);
  const versions = history.data?.pages.flatMap(({ items }) => items) ?? [];

  const { mutate: restore, isPending: isRestoring } = useSingleMutation({
    mutationFn: (older: SavedVersion) =>
      call("POST", "/api/admin/versions/{kind}/{key}/{version}/restore", {
        path: { ...path, version: older.version },
        headers: ifMatch({ version: base }),
      }),
    onMutate: () => setProblem(undefined),
    async onSuccess({ missing, version: restored }) {
      setBase(restored);
      // The restored version replaces all that is typed before it is on show.
      await onRestored();
      toastSuccess("version_restored");
      void client.invalidateQueries({ queryKey });
      if (missing.length > 0) {
        setProblem(`Restored without what is gone: ${missing.map(nameOf).join(", ")}.`);
      } else if (isMounted()) onClose();
    },
    async onError(error) {
      const failure = apiError(error);
      const isStale = failure.code === "stale_version";
      setProblem(isStale ? NEWER_SAVED : failure.status === 404 ? DELETED : failure.said);
      toastChangeFailed(error, "version_restore_failed");
      // Once the newest version is shown here, also after a lost answer, it may be replaced.
      if (isStale || failure.isUnsure) {
        void client.invalidateQueries({ queryKey });
        const newest = await onStale();
        if (newest === undefined) return;
        setBase(newest);
        if (isStale)
          setProblem(`${NEWER_SAVED} It is listed first now; restore again to replace it.`);
      }
    },
  });

  // Takes the focus of the button, which goes with the last page.
  const firstRead = history.data?.pages.at(-1)?.items[0];
  const nameOf = (field: string) => labels[field] ?? field;

  return (
    <Modal title={`History: ${name}`} onClose={onClose} isWide>
      <div role="alert" className="empty:hidden">
        {problem && (
          <p className="border-hairline border-b px-gutter py-4 text-signal">{problem}</p>
        )}
        {hasUnsaved && (
          <p className="border-hairline border-b px-gutter py-4">
            What you typed is not saved. Restoring a version takes its place.
          </p>
        )}
      </div>
      {!history.data ? (
        <Reading query={history} of={query} label="the history" loadFailed="history_load_failed" />
      ) : versions.length === 0 ? (
        <p className="px-gutter py-8 text-dim">Nothing was changed since versions are kept.</p>
      ) : (
        <ol aria-label={`Versions of ${name}`}>
          {versions.map((saved, index) => {
            const isLast = index === versions.length - 1;
            // The version before the last one shown may not be loaded.
            const before = isLast && history.hasNextPage ? saved : versions[index + 1];
            return (
              <Version
                key={saved.version}
                saved={saved}
                changed={
                  isLast && history.hasNextPage
                    ? undefined
                    : differences(before && readable(before), readable(saved))
                }
                isFirst={isLast && !history.hasNextPage}
                isPresent={index === 0}
                isFocusHome={saved === firstRead}
                nameOf={nameOf}
                isRestoring={isRestoring}
                onRestore={() => restore(saved)}
              />
            );
          })}
        </ol>
      )}
      {history.hasNextPage && (
        <div className="px-gutter py-5">
          <Button
            variant="outline"
            isBusy={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {history.isFetchingNextPage ? "Loading..." : "Older Versions"}
          </Button>
        </div>
      )}
    </Modal>
  );
}

interface VersionProps {
  saved: SavedVersion;
  changed: ReturnType<typeof differences> | undefined;
  isFirst: boolean;
  isPresent: boolean;
  isFocusHome: boolean;
  isRestoring: boolean;
  nameOf: (field: string) => string;
  onRestore: () => void;
}

function Version({
  saved,
  changed,
  isFirst,
  isPresent,
  isFocusHome,
  isRestoring,
  nameOf,
  onRestore,
}: VersionProps) {
  const at = dayAndTime(saved.saved_at);
  return (
    <li
      tabIndex={-1}
      data-focus-home={isFocusHome || undefined}
      className="border-hairline border-b px-gutter py-4 text-[0.75rem] -outline-offset-2 last:border-b-0"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h3 className="type-row tabular-nums">
          Version {saved.version}
          {isPresent && " (newest)"}
        </h3>
        <p className="text-dim tabular-nums">
          <time dateTime={saved.saved_at}>{at}</time>
          {saved.saved_by && ` by ${saved.saved_by}`}
        </p>
      </div>
      {isFirst ? (
        <p className="mt-2 text-dim">The first version that was kept.</p>
      ) : changed?.length === 0 ? (
        // Publishing and scheduling save a version too.
        <p className="mt-2 text-dim">Only the state changed.</p>
      ) : (
        <dl className="mt-3 grid gap-3">
          {changed?.map(({ field, before, after }) => (
            <div key={field}>
              <dt className="type-label text-dim uppercase">{nameOf(field)}</dt>
              <dd className="max-h-40 overflow-y-auto whitespace-pre-line text-dim line-through [overflow-wrap:anywhere]">
                <span className="sr-only">Before: </span>
                {before}
              </dd>
              <dd className="max-h-40 overflow-y-auto whitespace-pre-line [overflow-wrap:anywhere]">
                <span className="sr-only">After: </span>
                {after}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {!isPresent && (
        <Button
          variant="outline"
          className="type-label mt-4"
          aria-label={`Restore this version: ${saved.version} of ${at}`}
          isBusy={isRestoring}
          onClick={onRestore}
        >
          Restore This Version
        </Button>
      )}
    </li>
  );
}

export function HistoryButton(of: HistoryOf) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`History of ${of.name}`} onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && <HistoryDialog {...of} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The fields with the artist's name in place of the id. */
function readable({ fields, artist_name }: SavedVersion): Record<string, unknown> {
  return artist_name ? { ...fields, artist_id: artist_name } : fields;
}

export function differences(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
) {
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
  return fields
    .map((field) => ({ field, before: fieldText(before?.[field]), after: fieldText(after[field]) }))
    .filter((difference) => difference.before !== difference.after);
}
