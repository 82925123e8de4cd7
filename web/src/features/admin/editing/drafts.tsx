// Texts that are edited in place, several on one page: each has a draft, which is saved onto the version it was begun on.
import { type UseQueryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type ApiError, apiError } from "../../../api/client.ts";
import type { Page } from "../../../api/queries.ts";
import { readOnce } from "../../../api/readOnce.ts";
import { readState } from "../../../api/readState.ts";
import { Button } from "../../../ui/Button.tsx";
import { NewestVersion } from "./EditorDialog.tsx";
import { useKeptState } from "./useKeptState.tsx";

interface Versioned {
  version: number;
}

/** The fields that were typed in, and the version that was shown when the typing began. */
export type Draft<Fields extends object> = Partial<Fields> & Versioned;

export interface Drafted<Stored extends Versioned, Fields extends object> {
  stored: Stored;
  draft: Draft<Fields> | undefined;
  changeDraft: (change: (draft: Draft<Fields> | undefined) => Draft<Fields> | undefined) => void;
  putStored: (stored: Stored) => void;
  readNewest: () => Promise<Stored | undefined>;
}

function isChanged<Fields extends object>(stored: Fields, draft: Draft<Fields> | undefined) {
  const typed = Object.entries(draft ?? {}).filter(([field]) => field !== "version");
  return typed.some(([field, value]) => value !== stored[field as keyof Fields]);
}

/** The texts of a read, with their drafts. They are kept here, not in the cards, so that a search can hide a card. */
export function useDrafts<Stored extends Versioned & Fields, Fields extends object>(
  query: UseQueryOptions<Page<Stored>, Error, Page<Stored>, string[]>,
  idOf: (stored: Stored) => string,
) {
  const client = useQueryClient();
  const read = useQuery(query);
  const { queryKey } = query;
  const items = read.data?.items ?? [];
  const [drafts, setDrafts] = useKeptState<Readonly<Record<string, Draft<Fields> | undefined>>>(
    "drafts",
    {},
  );
  return {
    /** Undefined until they are read. */
    pages: read.data,
    items,
    isFailing: readState(read) === "failing",
    tryAgain: () => void client.resetQueries({ queryKey }),
    isUnsaved: items.some((stored) => isChanged<Fields>(stored, drafts[idOf(stored)])),
    draftedOf(stored: Stored): Drafted<Stored, Fields> {
      const id = idOf(stored);
      return {
        stored,
        draft: drafts[id],
        changeDraft: (change) => setDrafts((all) => ({ ...all, [id]: change(all[id]) })),
        putStored: (saved) =>
          client.setQueryData<Page<Stored>>(
            queryKey,
            (held) =>
              held && {
                ...held,
                items: held.items.map((item) => (idOf(item) === id ? saved : item)),
              },
          ),
        readNewest: async () =>
          (await readOnce(client, query)).data?.items.find((item) => idOf(item) === id),
      };
    },
  };
}

interface DraftOptions<Stored, Fields extends object> {
  /** Returns the problems of the fields, by name. */
  check?: (fields: Fields) => Readonly<Record<string, string>> | null | undefined;
  send: (fields: Fields, version: number) => Promise<Stored>;
  onSaved?: () => void;
  onFailed?: (error: unknown) => void;
}

export function useDraft<Stored extends Versioned & Fields, Fields extends object>(
  { stored, draft, changeDraft, putStored, readNewest }: Drafted<Stored, Fields>,
  { check, send, onSaved, onFailed }: DraftOptions<Stored, Fields>,
) {
  const isBusy = useRef(false);
  // A second press, or another key, may come before the saved version is drawn: then its draft still names the version before.
  const savedOnto = useRef(0);
  const [ownVersion, setOwnVersion] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Pick<ApiError, "fields" | "said">>();
  const hasChanged = isChanged<Fields>(stored, draft);
  const base = Math.max(hasChanged && draft ? draft.version : stored.version, ownVersion);
  const shown: Stored & Fields = { ...stored, ...draft };

  async function save(version: number): Promise<void> {
    if (!hasChanged || isBusy.current || version <= savedOnto.current) return;
    const fields = check?.(shown);
    setFailure(fields ? { fields, said: undefined } : undefined);
    if (fields) return;
    isBusy.current = true;
    setSaving(true);
    try {
      const saved = await send(shown, version);
      savedOnto.current = version;
      setOwnVersion(saved.version);
      // Text typed while it was saved is a draft of the saved version.
      changeDraft((now) =>
        now === draft || !now ? undefined : { ...now, version: saved.version },
      );
      putStored(saved);
      onSaved?.();
    } catch (error) {
      const failed = apiError(error);
      // The card then shows the newest version beside the draft.
      const isShown = failed.code === "stale_version" && (await readNewest());
      if (!isShown) {
        setFailure(failed);
        onFailed?.(error);
      }
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  return {
    shown,
    hasChanged,
    isSaving,
    /** Someone else has saved since the draft was begun. */
    isStale: hasChanged && stored.version > base && !isSaving,
    failure,
    save: () => void save(base),
    saveOver: () => void save(stored.version),
    write(fields: Partial<Fields>): void {
      setFailure(undefined);
      changeDraft((now) => {
        const next = { version: stored.version, ...now, ...fields };
        return isChanged<Fields>(stored, next) ? next : undefined;
      });
    },
    discard(): void {
      setFailure(undefined);
      changeDraft(() => undefined);
    },
  };
}

interface DraftFormProps {
  id?: string;
  name: string;
  className: string;
  form: ReturnType<typeof useDraft>;
  children: ReactNode;
  newest: ReactNode;
}

/** The form around the fields of a draft, with the buttons that save or discard it. Its field with `data-focus-home` takes the focus once they are gone. */
export function DraftForm({ id, name, className, form, children, newest }: DraftFormProps) {
  const { hasChanged, isSaving, isStale, save, saveOver, discard } = form;
  return (
    <form
      id={id}
      aria-label={name}
      className={`flex min-w-0 flex-col gap-4 ${className}`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      {children}
      {isStale ? (
        <NewestVersion name={name} since="began" onSaveMine={saveOver} onTake={discard}>
          <p className="type-label mt-4 text-dim uppercase">Now</p>
          {newest}
        </NewestVersion>
      ) : (
        hasChanged && (
          <div className="type-label flex flex-wrap gap-3">
            <Button type="submit" isBusy={isSaving} variant="main">
              {isSaving ? "Saving..." : "Save Changes"}
            </Button>
            <Button onClick={discard}>Discard</Button>
          </div>
        )
      )}
    </form>
  );
}
