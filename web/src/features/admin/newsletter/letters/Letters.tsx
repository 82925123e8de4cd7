// The letters to the subscribers, above them: begun, edited, deleted.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call, unlessGone } from "../../../../api/client.ts";
import { useLabelZone } from "../../../../api/labelZone.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { toastChangeFailed } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../../ui/ConfirmDialog.tsx";
import { day } from "../../../../ui/dates.ts";
import { toastError, toastSuccess } from "../../../../ui/toasts/toast.ts";
import { inZone } from "../../labelTime.ts";
import { ListStates, MoreButton } from "../../lists/RowList.tsx";
import { dropRows, readRowsAgain, rowsQuery, useRows } from "../../lists/useRows.ts";
import { LetterEditor } from "./LetterEditor.tsx";
import {
  type Letter,
  type LetterSummary,
  letterConfig,
  lettersCalls,
  stateOf,
  subjectOf,
} from "./letterConfig.ts";
import { ReleaseDialog } from "./ReleaseChoice.tsx";
import { SendingSettings } from "./SendingSettings.tsx";
import { useBegin } from "./useBegin.ts";
import { WillItArrive } from "./WillItArrive.tsx";

export const lettersQuery = rowsQuery(lettersCalls);

/** More of them would hide the subscribers below. */
const FEW = 5;

export function Letters() {
  const rows = useRows(lettersCalls);
  const letters = rows.pages?.flatMap(({ items }) => items) ?? [];
  const [isWhole, setWhole] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [doomed, setDoomed] = useState<LetterSummary>();
  const { opened, open, close, isOpening } = useOpened();
  const { begin, isBeginning } = useBegin(open);
  // Whichever comes later would replace the other's editor, with what was typed.
  const isBusy = isOpening || isBeginning;
  const remove = useRemove();
  const shown = isWhole ? letters : letters.slice(0, FEW);
  return (
    <section aria-label="Letters" className="border-hairline border-b">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-gutter py-4">
        <h3 className="type-title">Letters</h3>
        <div className="type-label flex flex-wrap gap-3">
          <Button variant="main" isBusy={isBusy} onClick={() => begin({})}>
            NEW LETTER
          </Button>
          <Button isBusy={isBusy} onClick={() => setChoosing(true)}>
            ANNOUNCE A RELEASE
          </Button>
        </div>
      </header>
      <ListStates
        label="letters"
        rows={{ ...rows, total: rows.pages ? Math.max(letters.length, 1) : undefined }}
        loadFailed="letters_load_failed"
        empty=""
      >
        {letters.length === 0 ? (
          <p className="px-gutter pb-5 text-dim">
            No letter yet. Subscribers who confirmed their address get what you write here.
          </p>
        ) : (
          <ul aria-label="Letters">
            {shown.map((letter) => (
              <LetterRow
                key={letter.id}
                letter={letter}
                isBusy={isBusy}
                onOpen={() => open(letter.id)}
                onDelete={() => setDoomed(letter)}
              />
            ))}
          </ul>
        )}
        {letters.length > shown.length && (
          <Button className="mx-gutter my-3" onClick={() => setWhole(true)}>
            {rows.hasMore ? "Show More" : `Show All ${letters.length}`}
          </Button>
        )}
        {isWhole && <MoreButton rows={rows} label="letters" />}
      </ListStates>
      <div className="flex flex-col gap-4 px-gutter pb-4">
        <WillItArrive />
        <SendingSettings />
      </div>
      {isChoosing && (
        <ReleaseDialog
          title="Announce a Release"
          onClose={() => setChoosing(false)}
          onChosen={({ id }) => {
            setChoosing(false);
            begin({ release: id });
          }}
        />
      )}
      {doomed && (
        <ConfirmDialog
          title="Delete this draft?"
          confirm="Delete"
          cancel="Keep"
          onCancel={() => setDoomed(undefined)}
          onConfirm={() => {
            setDoomed(undefined);
            remove(doomed.id);
          }}
        >
          “{subjectOf(doomed)}” is deleted for good.
        </ConfirmDialog>
      )}
      {opened && <LetterEditor key={opened.id} letter={opened} onClose={close} />}
    </section>
  );
}

interface LetterRowProps {
  letter: LetterSummary;
  isBusy: boolean;
  onOpen: () => void;
  onDelete: () => void;
}

function LetterRow({ letter, isBusy, onOpen, onDelete }: LetterRowProps) {
  const name = subjectOf(letter);
  const isDraft = letter.state === "draft";
  const zone = useLabelZone();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-hairline border-t px-gutter py-2.5 text-[0.75rem] hover:bg-ink/4">
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <bdi className={`type-row [overflow-wrap:anywhere] ${letter.subject ? "" : "text-dim"}`}>
            {name}
          </bdi>
          <span className="type-label border border-dim px-1.5 uppercase">{stateOf(letter)}</span>
          {!letter.in_archive && (
            <span className="type-label border border-dim px-1.5 uppercase">
              Not in the archive
            </span>
          )}
        </span>
        <span className="text-dim tabular-nums">{whenOf(letter, zone)}</span>
      </span>
      <span className="type-label ml-auto flex gap-2">
        <Button
          data-focus-home
          isBusy={isBusy}
          aria-label={`${isDraft ? "Edit" : "Open"} ${name}`}
          onClick={onOpen}
        >
          {isDraft ? "Edit" : "Open"}
        </Button>
        {isDraft && (
          <Button variant="destroy" aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </span>
    </li>
  );
}

function whenOf(letter: LetterSummary, zone: string): string {
  const { state, goes_out_at, began_at, updated_at } = letter;
  if (began_at) return `Went out ${inZone(began_at, zone)}`;
  if (goes_out_at) {
    return `${state === "scheduled" ? "Goes out" : "Was to go out"} ${inZone(goes_out_at, zone)}`;
  }
  return `Changed ${day(updated_at)}`;
}

/** The open letter, read in whole before it opens. One that the address names opens at once. */
function useOpened() {
  const [opened, setOpened] = useState<Letter>();
  const named = useLocation({ select: ({ hash }) => /^letter-(.+)$/.exec(hash)?.[1] });
  const navigate = useNavigate();
  const { mutate: open, isPending } = useSingleMutation({
    mutationFn: (id: string) => call("GET", "/api/admin/letters/{id}", { path: { id } }),
    onSuccess: setOpened,
    onError: () => toastError("letters_load_failed"),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (named) open(named);
  }, [named]);
  function close(): void {
    setOpened(undefined);
    if (named) void navigate({ to: ".", search: true, hash: "", replace: true });
  }
  return { opened, open, close, isOpening: isPending };
}

function useRemove(): (id: string) => void {
  const client = useQueryClient();
  const underWay = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: (id: string) => lettersCalls.remove(id).catch(unlessGone),
    onSuccess: (_, id) => {
      dropRows(client, letterConfig.path, [id]);
      toastSuccess("letter_deleted");
    },
    onError: (error) => toastChangeFailed(error, "letter_delete_failed"),
    onSettled: (_, __, id) => {
      underWay.current.delete(id);
      readRowsAgain(client, letterConfig.path);
    },
  });
  return (id: string) => {
    if (underWay.current.has(id)) return;
    underWay.current.add(id);
    mutate(id);
  };
}
