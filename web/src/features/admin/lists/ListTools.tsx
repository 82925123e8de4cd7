// The tools of a list: sorting, filtering, and deleting the chosen rows.
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Select } from "../../../ui/Select.tsx";
import { isFocusLost } from "../../../ui/takeFocus.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { type Choice, ChooseAllBox, useChoiceCounts } from "./choice.tsx";
import type { Option, RemovableRows, TrashKind } from "./rowsCalls.ts";
import { isListed, readTrashAgain, restoreRows, trashRows, undoTime } from "./useDelete.ts";
import type { ListAddress } from "./useListAddress.ts";
import { dropRows, readRowsAgain } from "./useRows.ts";

interface ListToolsProps {
  label: string;
  address: ListAddress;
  /** Left out for rows that cannot be chosen. */
  chosen?: ChosenProps;
}

interface ChosenProps {
  choice: Choice;
  /** The same on every render. */
  calls: RemovableRows;
  nouns: readonly [one: string, many: string];
  /** Takes the focus once the rows are gone. */
  headingRef: RefObject<HTMLElement | null>;
}

export function ListTools({ label, address, chosen }: ListToolsProps) {
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
        options={[{ value: "", label: "All" }, ...options.states]}
        onChoose={setState}
      />
      {chosen && <Chosen label={label} {...chosen} />}
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

function OptionField({ name, of, options, ...select }: OptionFieldProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 basis-full items-center gap-2 sm:basis-auto">
      <label htmlFor={id} className="type-label w-10 flex-none text-dim uppercase sm:w-auto">
        {name}
        <span className="sr-only"> {of}</span>
      </label>
      <Select
        {...select}
        id={id}
        className="min-w-0 flex-1"
        options={options.map(({ value, label }) => [value, label] as const)}
      />
    </div>
  );
}

function Chosen({ label, choice, calls, nouns, headingRef }: ChosenProps & { label: string }) {
  const id = useId();
  const { chosen, loaded } = useChoiceCounts(choice);
  const { isMoving, move } = useTrashChosen({ choice, calls, nouns, headingRef });
  useEscape(chosen > 0, choice.clear);
  return (
    <div className="type-label ml-auto flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
      <p role="status" className="tabular-nums">
        {chosen > 0 && `${chosen} chosen`}
      </p>
      {chosen > 0 && (
        <Button
          variant="destroy"
          className="tabular-nums"
          isBusy={isMoving}
          onClick={({ currentTarget }) => void move(currentTarget)}
        >
          {isListed(calls.trash) ? `MOVE ${chosen} TO TRASH` : `DELETE ${chosen}`}
        </Button>
      )}
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

interface TrashChosenOptions {
  choice: Choice;
  calls: RemovableRows;
  nouns: readonly [one: string, many: string];
  /** Takes the focus once the rows are gone. */
  headingRef: RefObject<HTMLElement | null>;
}

function useTrashChosen({ choice, calls, nouns, headingRef }: TrashChosenOptions) {
  const client = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  const isUnderWay = useRef(false);

  async function move(pressed: Element): Promise<void> {
    const { trash, path } = calls;
    const ids = choice.ids();
    if (!trash || ids.length === 0 || isUnderWay.current) return;
    isUnderWay.current = true;
    setMoving(true);
    const moved = await trashRows(trash, ids, (part) => dropRows(client, path, part));
    isUnderWay.current = false;
    setMoving(false);
    readRowsAgain(client, path);
    readTrashAgain(client);
    if (moved.ids.length > 0) {
      const undone = { ...undoTime(trash), onUndo: () => void undo(trash, moved.ids) };
      if (isListed(trash)) toastSuccess("rows_trashed", countText(moved.ids.length), undone);
      else toastSuccess("demo_deleted", undefined, undone);
    }
    if (moved.hasFailed) toastError(isListed(trash) ? "trash_failed" : "demo_delete_failed");
    else if (isFocusLost(pressed)) headingRef.current?.focus();
  }

  async function undo(trash: TrashKind, ids: readonly string[]): Promise<void> {
    const restored = await restoreRows(client, trash, ids);
    readRowsAgain(client, calls.path);
    readTrashAgain(client);
    if (restored) toastSuccess(restored);
    else toastError("restore_failed");
  }

  function countText(count: number): string {
    return `${count} ${nouns[count === 1 ? 0 : 1]}`;
  }

  return { isMoving, move };
}
