// The artist of a release, found by typing: a label may have thousands. Nobody is a choice too.
import { Combobox } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { readQuery } from "../../../api/queries.ts";
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
  chosen: Choice | null;
  error: string | undefined;
  onChoose: (chosen: Choice | null) => void;
}

export function ArtistChoice({ label, chosen, error, onChoose }: ArtistChoiceProps) {
  const id = useId();
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

  /** Enter means the name that was typed: until somebody is chosen by it, it submits nothing. */
  function holdEnter(event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void }) {
    if (event.key !== "Enter") return;
    const input = event.currentTarget;
    const typed = input.value.trim();
    if (typed === (chosen?.name ?? "")) return;
    event.preventDefault();
    // While the list still answers what was typed before, its first artist is not who is meant.
    const isAnswered = typed === search && !isPlaceholderData;
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
      onInputValueChange={setTyped}
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
