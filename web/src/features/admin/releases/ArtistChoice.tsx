// The artist of a release, found by typing: a label may have thousands. Nobody is a choice too.
import { Combobox } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { readQuery } from "../../../api/queries.ts";
import { isComposing } from "../../../ui/composing.ts";
import { useSearch } from "../lists/useSearch.ts";

/** As many as one look at the list is worth. */
const SHOWN = 50;

const MORE = `These are the first ${SHOWN}. Type a name to find the others.`;

export interface Choice {
  id: string;
  name: string;
}

interface ArtistChoiceProps {
  label: string;
  /** What the form holds: an id, nothing, or a text that nobody was chosen by. */
  value: string;
  /** Whose id that is. */
  chosen: Choice | null;
  error: string | undefined;
  onChoose: (chosen: Choice | null) => void;
  /** The field was left with a text that is no artist's name: the form is to hold that, which the rules refuse. */
  onLeave: (typed: string) => void;
}

export function ArtistChoice({
  label,
  value,
  chosen,
  error,
  onChoose,
  onLeave,
}: ArtistChoiceProps) {
  const id = useId();
  const [left, setLeft] = useState("");
  // What the form says stands in the field until something else is typed.
  const held = chosen?.name ?? (value === left ? left : "");
  const [text, setText] = useState(held);
  const [shown, setShown] = useState(held);
  if (held !== shown) {
    setShown(held);
    setText(held);
  }
  // The list opens inside the dialog it belongs to, not beside it.
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  const { search, setTyped } = useSearch();
  // The name of who is chosen stands in the field; it is no search.
  const q = search === chosen?.name ? "" : search;
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...readQuery("/api/admin/artist-choices", {
      query: q ? { q, limit: SHOWN } : { limit: SHOWN },
    }),
    placeholderData: keepPreviousData,
  });
  // The list that the arrows went through.
  const [navigated, setNavigated] = useState<typeof data>();

  /** The one artist of that name, as far as what is searched for has been answered. */
  function namesake(typed: string): Choice | undefined {
    if (typed !== search || isPlaceholderData) return undefined;
    const isCalled = ({ name }: Choice) => name.toLowerCase() === typed.toLowerCase();
    const [first, ...others] = data?.items.filter(isCalled) ?? [];
    return others.length > 0 ? undefined : first;
  }

  function take(artist: Choice): void {
    setText(artist.name);
    onChoose(artist);
  }

  /** By Tab, by a click elsewhere, by whatever way: what was typed is never dropped without a word. */
  function leave(): void {
    const typed = text.trim();
    if (typed === held) return;
    const artist = namesake(typed);
    if (artist) take(artist);
    else if (typed === "") onChoose(null);
    else {
      setLeft(typed);
      onLeave(typed);
    }
  }

  // The answer to what was typed may come after the field was left.
  const late = value !== "" && value === left ? namesake(left) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, when it is there
  useEffect(() => {
    if (late) take(late);
  }, [late?.id]);

  /** Enter means who was gone to with the arrows, else the name that was typed: until somebody is chosen by it, it submits nothing. */
  function holdEnter(event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void }) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setNavigated(data);
    if (event.key !== "Enter" || isComposing(event)) return;
    const input = event.currentTarget;
    const typed = input.value.trim();
    if (typed === held) return;
    event.preventDefault();
    // While the list still answers what was typed before, its first artist is not who is meant.
    const isAnswered =
      (typed === search && !isPlaceholderData) || (data !== undefined && navigated === data);
    const isMarked = input.hasAttribute("aria-activedescendant");
    // Closing would put the old name back in place of what was typed.
    if (!isAnswered || !isMarked) event.preventBaseUIHandler();
  }

  return (
    <Combobox.Root
      items={data?.items ?? []}
      autoHighlight
      // The server searches.
      filter={null}
      value={chosen}
      onValueChange={onChoose}
      inputValue={text}
      onInputValueChange={(next, { reason }) => {
        // The list closes, and would put back the name of who is chosen: whether that is meant, leaving says.
        if (reason === "none" || reason === "input-clear") return;
        setText(next);
        setTyped(next);
        setNavigated(undefined);
      }}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && reason === "escape-key") setText(held);
      }}
      itemToStringLabel={(artist: Choice) => artist.name}
      isItemEqualToValue={(item, value) => item.id === value.id}
    >
      <div className="flex flex-col gap-2">
        <label htmlFor={id} className="type-label uppercase">
          {label}
        </label>
        <div className="flex">
          <Combobox.Input
            id={id}
            placeholder="Unknown Artist"
            onKeyDown={holdEnter}
            onBlur={leave}
            aria-invalid={error !== undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            className={`field min-w-0 flex-1 ${error ? "border-signal" : ""}`}
          />
          {chosen && (
            <Combobox.Clear
              aria-label="Clear the artist"
              className="button -ml-px flex-none border-dim"
            >
              CLEAR
            </Combobox.Clear>
          )}
        </div>
        {error && (
          <p id={`${id}-error`} className="text-signal">
            {error}
          </p>
        )}
      </div>
      <Combobox.Portal container={container}>
        <Combobox.Positioner sideOffset={-1} className="z-popup">
          <Combobox.Popup className="max-h-72 w-[var(--anchor-width)] overflow-y-auto overscroll-contain border border-ink bg-ground">
            <Combobox.Status className="type-label px-3 py-2 text-dim empty:hidden">
              {isFetching ? "SEARCHING..." : data?.next_cursor ? MORE : ""}
            </Combobox.Status>
            <Combobox.Empty className="px-3 py-2 text-dim empty:hidden">
              {isFetching ? "" : "No artist found"}
            </Combobox.Empty>
            <Combobox.List>
              {(artist: Choice) => (
                <Combobox.Item
                  key={artist.id}
                  value={artist}
                  className="flex min-h-9 cursor-default items-center gap-2 px-3 data-highlighted:bg-ink data-highlighted:text-ground"
                >
                  {artist.name}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
      <div ref={setContainer} className="-mt-5 empty:hidden" />
    </Combobox.Root>
  );
}
