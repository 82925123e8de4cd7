// The head of a list: its name, count, search and buttons, and the tools that sort, filter and delete its rows.
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId } from "react";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { Button } from "../../../ui/Button.tsx";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { Select } from "../../../ui/Select.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { type Choice, ChooseAllBox, useChoice, useChoiceCounts } from "./choice.tsx";
import {
  type DeleteOptions,
  isListed,
  offerUndo,
  readTrashAgain,
  trashRows,
  undoRows,
  undoTime,
  useDelete,
} from "./useDelete.ts";
import { type ListAddress, type ListName, useListAddress } from "./useListAddress.ts";
import type { Option, Page, RemovableRows, SortedRows } from "./useRows.ts";
import { dropRows, readRowsAgain, useRows, useRowTotal } from "./useRows.ts";

interface ListOptions<Row, Read extends Page<Row>> extends Omit<DeleteOptions, "calls"> {
  calls: SortedRows<Row, Read>;
  prefix?: ListName;
}

/** A list whose rows are searched, sorted, chosen and deleted. */
export function useList<Row extends { id: string }, Read extends Page<Row> = Page<Row>>({
  prefix,
  ...options
}: ListOptions<Row, Read>) {
  const { calls } = options;
  const address = useListAddress(calls.options, prefix);
  const rows = useRows<Row, Read>(calls, address.asked);
  const total = useRowTotal<Row, Read>(calls, address.asked, rows);
  const choice = useChoice(rows.pages, address.asked);
  return { calls, address, rows, total, choice, remove: useDelete(options) };
}

interface ListHeadProps {
  list: {
    calls: RemovableRows;
    address: ListAddress;
    rows: { found: number | undefined };
    total: number | undefined;
    choice: Choice;
  };
  id?: string;
  name: string;
  searchLabel: string;
  nouns: Nouns;
  buttons?: ReactNode;
  /** Between the head and the tools. */
  children?: ReactNode;
}

export function ListHead({ list, id, name, searchLabel, nouns, buttons, children }: ListHeadProps) {
  const { address, rows, total } = list;
  return (
    <>
      <TabHead
        id={id}
        name={`${name} (${total ?? "..."})`}
        search={address}
        found={rows.found}
        searchLabel={searchLabel}
      >
        {buttons}
      </TabHead>
      {children}
      <ListTools label={name} address={address}>
        <Chosen label={name} choice={list.choice}>
          <TrashChosen nouns={nouns} {...list} />
        </Chosen>
      </ListTools>
    </>
  );
}

interface TabHeadProps {
  id?: string | undefined;
  name: string;
  search: { typed: string; setTyped: (typed: string) => void };
  /** The number of search results, once known. */
  found: number | undefined;
  searchLabel: string;
  children?: ReactNode;
}

export function TabHead({ id, name, search, found, searchLabel, children }: TabHeadProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter pt-7 pb-5">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 id={id} tabIndex={-1} data-focus-home className="type-heading tabular-nums">
          {name}
        </h2>
        <p role="status" className="type-label text-dim tabular-nums uppercase">
          {found !== undefined && `${found} found`}
        </p>
      </div>
      <div className="flex w-full flex-wrap gap-3 sm:w-auto">
        <SearchInput label={searchLabel} search={search} className="w-full sm:w-64 sm:flex-1" />
        {children}
      </div>
    </header>
  );
}

interface ListToolsProps {
  label: string;
  address: ListAddress;
  children?: ReactNode;
}

export function ListTools({ label, address, children }: ListToolsProps) {
  const { options, sort, setSort, state, setState } = address;
  return (
    <fieldset
      aria-label={`Order and choice of ${label}`}
      className="flex min-h-15 min-w-0 flex-wrap items-center gap-x-5 gap-y-3 border-hairline border-b px-gutter py-2.5"
    >
      <OptionField
        name="Sort"
        of={label}
        value={sort}
        options={options.orders}
        onChoose={setSort}
      />
      <OptionField
        name="Show"
        of={label}
        value={state}
        options={[["", "All"], ...options.states]}
        onChoose={setState}
      />
      {children}
    </fieldset>
  );
}

interface OptionFieldProps {
  name: string;
  /** The list, for screen readers. */
  of: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

function OptionField({ name, of, ...select }: OptionFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 basis-full items-center gap-2 sm:basis-auto">
      <label htmlFor={id} className="type-label w-10 flex-none text-dim uppercase sm:w-auto">
        {name}
        <span className="sr-only"> {of}</span>
      </label>
      <Select {...select} id={id} className="min-w-0 flex-1" />
    </div>
  );
}

type Nouns = readonly [one: string, many: string];

interface ChosenProps {
  label: string;
  choice: Choice;
  children?: ReactNode;
}

export function Chosen({ label, choice, children }: ChosenProps) {
  const id = useId();
  const { chosen, loaded } = useChoiceCounts(choice);
  useEscape(chosen > 0, choice.clear);
  return (
    <div className="type-label ml-auto flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
      <p role="status" className="tabular-nums">
        {chosen > 0 && `${chosen} chosen`}
      </p>
      {children}
      {loaded > 0 && (
        <span className="flex items-center gap-2.5">
          <ChooseAllBox choice={choice} id={id} />
          <label htmlFor={id} className="uppercase">
            Choose all loaded<span className="sr-only"> of {label}</span>
          </label>
        </span>
      )}
    </div>
  );
}

interface TrashChosenProps extends Pick<ListHeadProps["list"], "choice" | "calls"> {
  nouns: Nouns;
}

function TrashChosen({ choice, calls, nouns }: TrashChosenProps) {
  const { trash, path } = calls;
  const client = useQueryClient();
  const { chosen } = useChoiceCounts(choice);
  const { mutate, isPending } = useSingleMutation({ mutationFn: move });

  async function move(): Promise<void> {
    const ids = choice.ids();
    if (!trash || ids.length === 0) return;
    const usesOf = calls.shownBy?.(client, ids);
    const asked = Date.now();
    const moved = await trashRows(trash, ids, (part) => dropRows(client, path, part));
    if (moved.unsure.length > 0) {
      offerUndo(client, path, trash, [...moved.ids, ...moved.unsure], "trash_failed");
      return;
    }
    readRowsAgain(client, path);
    readTrashAgain(client);
    if (moved.ids.length > 0) {
      const undone = {
        ...undoTime(trash, Date.now() - asked),
        onUndo: () => void undoRows(client, path, trash, moved.ids),
      };
      const count = `${moved.ids.length} ${nouns[moved.ids.length === 1 ? 0 : 1]}`;
      const uses = usesOf?.(moved.ids);
      const rows = uses ? `${count}, until now shown by ${uses}` : count;
      if (isListed(trash)) toastSuccess("rows_trashed", rows, undone);
      else toastSuccess("demo_deleted", undefined, undone);
    }
    if (moved.hasFailed) toastError(isListed(trash) ? "trash_failed" : "demo_delete_failed");
  }

  if (chosen === 0) return null;
  return (
    <Button variant="destroy" className="tabular-nums" isBusy={isPending} onClick={() => mutate()}>
      {isListed(calls.trash) ? `MOVE ${chosen} TO TRASH` : `DELETE ${chosen}`}
    </Button>
  );
}

/** Escape clears the choice, unless a dialog, field or open list has the focus. */
function useEscape(isChosen: boolean, clear: () => void): void {
  useEffect(() => {
    if (!isChosen) return;
    function press(event: KeyboardEvent): void {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      const at = event.target instanceof Element ? event.target : null;
      if (
        at?.closest(
          "[role=dialog], [role=alertdialog], select, textarea, input:not([type=checkbox])",
        )
      ) {
        return;
      }
      clear();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isChosen, clear]);
}
