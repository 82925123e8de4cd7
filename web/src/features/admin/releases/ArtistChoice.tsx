// The artist of a release, found by typing, as a label may have thousands. It can be left empty.
import { Combobox } from "@base-ui/react/combobox";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { readQuery } from "../../../api/queries.ts";
import { isComposing } from "../../../ui/composing.ts";
import { usePausedSearch } from "../lists/useListAddress.ts";

const SHOWN = 50;

const MORE = `These are the first ${SHOWN}. Type a name to find the others.`;

export interface Choice {
  id: string;
  name: string;
}

interface ArtistChoiceProps {
  label: string;
  /** The form's value: an id, nothing, or typed text that names no artist. */
  value: string;
  chosen: Choice | null;
  error: string | undefined;
  onChoose: (chosen: Choice | null) => void;
  /** The field was left with text that names no artist; the rules refuse it. */
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
  // The form's value is shown until something else is typed.
  const held = chosen?.name ?? (value === left ? left : "");
  const [text, setText] = useState(held);
  const [shown, setShown] = useState(held);
  if (held !== shown) {
    setShown(held);
    setText(held);
  }
  // The list opens inside the dialog it belongs to.
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  const { search, setTyped } = usePausedSearch();
  // The chosen name in the field is not a search.
  const q = search === chosen?.name ? "" : search;
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...readQuery("/api/admin/artist-choices", {
      query: q ? { q, limit: SHOWN } : { limit: SHOWN },
    }),
    placeholderData: keepPreviousData,
  });
  const [navigated, setNavigated] = useState<typeof data>();

  /** The only artist of that name, once its search is answered. */
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

  /** Typed text is never dropped silently, however the field is left. */
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

  // The search may be answered after the field was left.
  const late = value !== "" && value === left ? namesake(left) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, when it is there
  useEffect(() => {
    if (late) take(late);
  }, [late?.id]);

  /** Enter takes the highlighted artist, or the one of the typed name. Until one is chosen it does not submit the form. */
  function holdEnter(event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler(): void }) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setNavigated(data);
    if (event.key !== "Enter" || isComposing(event)) return;
    const input = event.currentTarget;
    const typed = input.value.trim();
    if (typed === held) return;
    event.preventDefault();
    // The highlight of an older search is not what is meant.
    const isAnswered =
      (typed === search && !isPlaceholderData) || (data !== undefined && navigated === data);
    const isMarked = input.hasAttribute("aria-activedescendant");
    // Closing would replace the typed text by the old name.
    if (!isAnswered || !isMarked) event.preventBaseUIHandler();
  }

  return (
    <Combobox.Root
      items={data?.items ?? []}
      autoHighlight
      filter={null}
      value={chosen}
      onValueChange={onChoose}
      inputValue={text}
      onInputValueChange={(next, { reason }) => {
        // Closing the list would restore the old name; leaving the field decides that.
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
            autoCorrect="off"
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
                  <bdi>{artist.name}</bdi>
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
