import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { DESK_TAGS_MAX } from "../../../../rules/generated/constants.ts";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";

export function Tags({ demo: { tags } }: { demo: DeskDemo }) {
  const { desk, summary } = useDeskState();
  const [typed, setTyped] = useState("");
  const listId = useId();
  const fieldId = useId();

  async function put(tag: string): Promise<void> {
    const isKept = await desk.tag(tag, true);
    // Offered again together with what is being typed.
    if (!isKept) setTyped((now) => [now, tag].filter(Boolean).join(", "));
  }
  function add(): void {
    const wanted = typed.split(",").map((tag) => tag.trim().toLowerCase());
    setTyped("");
    for (const tag of new Set(wanted)) {
      if (tag !== "" && !tags.includes(tag)) void put(tag);
    }
  }
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event)) return;
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key !== "Enter" && event.key !== ",") return;
    event.preventDefault();
    add();
  }
  return (
    <section aria-label="Tags" className="flex flex-col gap-3">
      <h3 className="type-label text-dim uppercase">
        <label htmlFor={fieldId}>Tags</label>
      </h3>
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {tags.map((tag) => (
            <li key={tag} className="flex items-center border border-hairline pl-2.5">
              <bdi>{tag}</bdi>
              <button
                type="button"
                aria-label={`Take tag ${tag} off`}
                className="flex size-8 items-center justify-center text-dim hover:text-ink"
                onClick={() => void desk.tag(tag, false)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {tags.length < DESK_TAGS_MAX && (
        <div className="flex">
          <input
            data-focus-home
            id={fieldId}
            list={listId}
            className="field min-w-0 flex-1"
            placeholder="Add a tag"
            dir="auto"
            autoComplete="off"
            value={typed}
            onInput={({ currentTarget }: FormEvent<HTMLInputElement>) =>
              setTyped(currentTarget.value)
            }
            onKeyDown={press}
          />
          <Button
            className="-ml-px flex-none border-dim"
            disabled={typed.trim() === ""}
            onClick={add}
          >
            Add<span className="sr-only"> Tag</span>
          </Button>
          <datalist id={listId}>
            {summary?.tags.map(
              ({ tag }) => !tags.includes(tag) && <option key={tag} value={tag} />,
            )}
          </datalist>
        </div>
      )}
    </section>
  );
}
